# src/file
