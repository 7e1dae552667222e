0#version 330
// A round hole.
in vec2 vUv;
out vec4 colour;

void main() {
	vec2 d = vUv - vec2(0.5, 0.5);
	if (dot(d, d) < 0.04) {
		discard;
	}
	colour = vec4(vUv, 0.5, 1.0);
}
