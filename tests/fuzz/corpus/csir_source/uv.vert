1#version 330
// The position as it comes, with a texture coordinate.
layout(location = 0) in vec4 position;
layout(location = 2) in vec2 uv;
out vec2 vUv;

void main() {
	vUv = uv;
	gl_Position = position;
}
