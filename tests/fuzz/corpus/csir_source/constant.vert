1#version 330
// The position as it comes.
layout(location = 0) in vec4 position;

void main() {
	gl_Position = position;
}
