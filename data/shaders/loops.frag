#version 330
// Unrolled loops: rings of a distance, and a loop inside a loop.
in vec2 vUv;
out vec4 colour;

void main() {
	float sum = 0.0;
	for (int i = 1; i <= 3; i++) {
		sum = sum + vUv.x * i;
	}
	float grid = 0.0;
	for (int y = 2; y > 0; y--) {
		for (int x = 0; x < 2; ++x) {
			grid = grid + vUv.y;
		}
	}
	colour = vec4(sum, grid, 0.0, 1.0);
}
