#!/usr/bin/env python3
"""Asks for one path of a control socket again and again until its input ends; prints each answer's time in seconds.

    asker.py SOCKET PATH

A process of its own, so that only what albumd takes is measured: from connect to the last byte, nothing parsed.
"""
import select
import socket
import sys
import time


def ask(path, request):
    begin = time.monotonic()
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        connection.sendall(request)
        head = connection.recv(1 << 16)
        rest = head
        while rest:
            rest = connection.recv(1 << 16)
    took = time.monotonic() - begin
    if not head.startswith(b"HTTP/1.1 200"):
        sys.exit(f"{head[:200]}")
    return took


def main():
    socket_path, path = sys.argv[1:]
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    times = []
    while not select.select([sys.stdin], [], [], 0.01)[0]:
        times.append(ask(socket_path, request))
    print("\n".join(map(str, times)))


if __name__ == "__main__":
    main()
