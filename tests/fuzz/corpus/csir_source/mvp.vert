1#version 330
// Model, view and projection; passes texture coordinate and normal on.
layout(location = 0) in vec4 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
uniform mat4 model;
uniform mat4 view;
uniform mat4 projection;
uniform mat3 normalMatrix;
out vec3 vNormal;
out vec2 vUv;

void main() {
	vNormal = normalMatrix * normal;
	vUv = uv;
	gl_Position = projection * view * model * position;
}
