print("albumd")
