0#version 330
// Left and right of a line, and three bands inside each other.
in vec2 vUv;
uniform float edge;
out vec4 colour;

void main() {
	vec3 c = vec3(0.0);
	if (vUv.x < edge) {
		if (vUv.y < 0.5)
			c = vec3(1.0, 0.0, 0.0);
		else
			c = vec3(0.0, 1.0, 0.0);
	} else {
		c = vec3(0.0, 0.0, vUv.y);
	}
	colour = vec4(c, 1.0);
}
