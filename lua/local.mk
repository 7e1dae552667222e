# lua
