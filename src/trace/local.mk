# src/trace
