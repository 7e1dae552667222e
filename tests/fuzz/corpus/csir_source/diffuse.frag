0#version 330
// Lambert's law with an ambient part.
in vec3 vNormal;
uniform vec3 lightDirection;
uniform vec4 material;
out vec4 colour;

void main() {
	vec3 n = normalize(vNormal);
	float diffuse = max(dot(n, normalize(lightDirection)), 0.0);
	float light = 0.2 + 0.8 * diffuse;
	colour = vec4(material.rgb * light, material.a);
}
