0#version 330
// Waves.
in vec2 vUv;
uniform float time;
out vec4 colour;

void main() {
	float wave = sin(vUv.x * 12.0 + time) * cos(vUv.y * 9.0 - time);
	colour = vec4(vec3(0.5 + 0.5 * wave), 1.0);
}
