print("albumctl")
