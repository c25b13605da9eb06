"""The rules of Zombicide: Prison Outbreak, one file for each thing that happens."""
