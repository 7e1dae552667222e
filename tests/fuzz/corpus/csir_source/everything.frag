0uniform mat4 m; uniform mat3 n; uniform sampler2D s; uniform vec2 k; in vec3 a; in vec4 b; out vec4 c; float g;
float f(float x, vec2 y) { float z = x + y.x; return z * 2.0; }
void main() {
 g = 1.5; int i = int(a.x); bool t = a.x > 0.0 && !(a.y <= 1.0) || true; ivec2 w = ivec2(i, 2);
 vec3 r = normalize(cross(a, b.xyz)) + reflect(a, vec3(0.0, 1.0, 0.0)) * length(b.xy);
 mat3 q = mat3(a, a, a); r = q * r; r = n * q * r;
 for (int j = 0; j < 3; j++) { r = r + vec3(float(j)); }
 if (t) { r = clamp(r, 0.0, 1.0); } else if (r.x != 2.0) discard; else r = mix(r, a, 0.5);
 c = texture(s, b.xy) * m * vec4(sin(r.x), cos(r.y), pow(abs(r.z), 2.0), min(r.x, max(r.y, 5 % 3))) / 3.0;
 c = vec4(f(dot(a, a), k), gl_FragCoord.xy, -b[3]);
}