0#version 330
// Functions that call functions.
in vec2 vUv;
out vec4 colour;

float square(float x) {
	return x * x;
}

float bump(vec2 at, float size) {
	vec2 d = at - vec2(0.5);
	return clamp(1.0 - (square(d.x) + square(d.y)) / square(size), 0.0, 1.0);
}

void main() {
	float b = bump(vUv, 0.5);
	colour = vec4(mix(vec3(0.1, 0.1, 0.4), vec3(1.0, 0.8, 0.2), b), 1.0);
}
