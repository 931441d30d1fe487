print("quickvault")
