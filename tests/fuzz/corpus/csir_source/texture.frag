0#version 330
// A texture times a tint.
in vec2 vUv;
uniform sampler2D picture;
uniform vec4 tint;
out vec4 colour;

void main() {
	colour = texture(picture, vUv) * tint;
}
