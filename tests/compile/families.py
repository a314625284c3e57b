# SPDX-License-Identifier: MIT
"""Ordinary kernels in OpenCL C, by families: what people write every day, and what compilers have stumbled over.

Each is a Kernel. Those with `runs` have the signature of HEAD and are run by 64 work-items in groups of 16 with 256 elements in
each buffer; what they write must not depend on the level of optimisation.
"""

import dataclasses

HEAD = "kernel void {name}(global int *out, global const int *in, int n)"


@dataclasses.dataclass(frozen=True)
class Kernel:
    name: str
    text: str
    runs: bool = True
    options: tuple = ()


def plain(name, body, before="", **more):
    """A kernel of the common signature; `i` is its work-item."""
    head = HEAD.format(name=name)
    return Kernel(name, f"{before}\n{head}\n{{\n    int i = (int)get_global_id(0);\n{body}\n}}\n", **more)


INTEGERS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
UNSIGNED = ("uchar", "ushort", "uint", "ulong")


def borders():
    """Early returns at the border of an image or a volume."""
    for kind in "float", "int", "uchar":
        yield plain(f"border_{kind}", f"""    int w = 8, h = 8, x = i % w, y = i / w;
    global const {kind} *from = (global const {kind} *)in;
    if (x == 0 || y == 0 || x == w - 1 || y == h - 1)
        return;
    {kind} sum = from[i - 1] / 4 + from[i + 1] / 4 + from[i - w] / 4 + from[i + w] / 4;
    out[i] = sum > ({kind})7;""")
    yield Kernel("border_2d", """kernel void border_2d(global const float *from, global float *to, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x == 0 || y == 0 || x == w - 1 || y == h - 1) return;
    to[y * w + x] = 0.25f * (from[y * w + x - 1] + from[y * w + x + 1] + from[(y - 1) * w + x] + from[(y + 1) * w + x]);
}
""", runs=False)
    yield Kernel("border_3d", """kernel void border_3d(global const float *from, global float *to, int4 size)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x < 1 || y < 1 || z < 1 || x >= size.x - 1 || y >= size.y - 1 || z >= size.z - 1) return;
    int at = (z * size.y + y) * size.x + x, layer = size.x * size.y;
    to[at] = from[at] + 0.1f * (from[at - 1] + from[at + 1] + from[at - size.x] + from[at + size.x] + from[at - layer]
        + from[at + layer] - 6 * from[at]);
}
""", runs=False)
    yield plain("clamped_border", """    int x = clamp(i % 8 - 1, 0, 7), y = clamp(i / 8 + 1, 0, 7);
    out[i] = in[y * 8 + x] ^ in[min(i + 3, 63)];""")


def divisions():
    for kind in INTEGERS:
        yield plain(f"divmod_{kind}", f"""    {kind} w = ({kind})(n % 100 + 7), v = ({kind})in[i];
    out[i] = (int)(v % w) + 3 * (int)(v / w);
    if (v % w == 0 || v / w == 3)
        out[i + 64] = 1;""")
    yield plain("divmod_vector", """    int4 v = vload4(i, in), w = (int4)(3, 5, 7, 11);
    vstore4(v / w + v % w, i, out);""")


def switches():
    def cases(values, breaks=True):
        return "\n".join(f"    case {v}: r += {v * 7 % 31};{' break;' if breaks else ''}" for v in values)

    for name, values, what in (("dense", range(8), "in[i] & 7"), ("sparse", (1, 5, 100, 1000, 40000), "in[i] & 1023"),
                               ("many", range(40), "in[i] & 63"), ("pair", (0, 1), "in[i] & 1")):
        yield plain(f"switch_{name}", f"    int r = 1;\n    switch ({what}) {{\n{cases(values)}\n    default: r = -1;\n    }}\n    out[i] = r;")
    yield plain("switch_falls", f"    int r = 1;\n    switch (in[i] & 7) {{\n{cases(range(6), False)}\n    default: r ^= 5;\n    }}\n    out[i] = r;")
    for kind in "char", "uchar", "ushort", "ulong":
        yield plain(f"switch_{kind}", f"    int r = 1;\n    switch (({kind})(in[i] & 31)) {{\n{cases(range(3, 20, 3))}\n    }}\n    out[i] = r;")
    yield plain("switch_returns", """    switch (in[i] % 5) {
    case 0: out[i] = 4; return;
    case 1: out[i] = i; return;
    case 2: if (i & 1) return; break;
    case 3: out[i] = 9;
    }
    out[i] += 100;""")
    yield plain("switch_function", "    out[i] = digit(in[i] & 15) + digit(i & 3);", """int digit(int v)
{
    switch (v) {
    case 0: return 'a';
    case 1: return 'f';
    case 2: return 'x';
    case 3: return 'q';
    case 4: return 'z';
    case 7: return '!';
    default: return 0;
    }
}""")
    yield plain("switch_nested", """    int r = 0;
    for (int k = 0; k < 4; k++)
        switch ((in[i] >> (3 * k)) & 7) {
        case 0: continue;
        case 1: switch (k) { case 0: r += 1; break; case 2: r += 5; break; default: r += 9; } break;
        case 5: r -= 2;
        case 6: r *= 3; break;
        }
    out[i] = r;""")
    yield plain("switch_vectors", """    int4 v = vload4(i, in);
    switch (v.x & 3) {
    case 0: v = v.yzwx; break;
    case 1: v = v.wzyx; break;
    case 2: v.lo = v.hi; break;
    default: v += 1;
    }
    vstore4(v, i, out);""")
    yield plain("enumeration", """    enum state s = (enum state)(in[i] & 3);
    switch (s) { case IDLE: out[i] = 10; break; case BUSY: out[i] = 20; break; case DONE: out[i] = 30; break; default: out[i] = s; }""",
                "enum state { IDLE, BUSY, DONE };")


def narrow():
    for bits in 1, 3, 5, 7, 12, 17, 31:
        yield plain(f"bits_{bits}", f"""    struct {{ uint a : {bits}; uint b : {32 - bits}; int c : {bits}; uint d : {32 - bits}; }} s;
    s.a = in[i]; s.b = in[i] >> 3; s.c = in[i];
    s.a += 3; s.b ^= s.a; s.c += s.a == 2;
    out[i] = s.a; out[i + 64] = (int)s.b; out[i + 128] = s.c;""",
                    "#pragma OPENCL EXTENSION __cl_clang_bitfields : enable")
    for kind in UNSIGNED:
        yield plain(f"narrow_{kind}", f"""    {kind} a = ({kind})in[i], b = ({kind})(in[i] >> 5), r = 0;
    for (int k = 0; k < 5; k++) {{
        r = ({kind})(r * 3u + ((a >> k) & 1));
        if ((r & 7) == 5) r ^= b;
        a = ({kind})(a - r) < b ? ({kind})(a + 1) : ({kind})~a;
    }}
    out[i] = (int)r;""")
    yield plain("saturated", """    char4 a = as_char4(in[i]), b = as_char4(in[63 - i]);
    out[i] = as_int(add_sat(a, b)) ^ as_int(sub_sat(a, b)) ^ as_int(hadd(a, b)) ^ as_int(rhadd(b, a)) ^ as_int(abs_diff(a, b));
    out[i + 64] = mul_hi(in[i], 77) + mad_hi(in[i], 5, 1) + mad_sat(in[i], 9, 1) + mul24(in[i] & 0xffff, 3) + mad24(7, i, 1);""")
    yield plain("bit_functions", """    uint v = (uint)in[i];
    out[i] = popcount(v) + clz(v) + ctz(v | 1) + (int)rotate(v, 7u) + (int)bitselect(v, ~v, 0xff00ffu);
    out[i + 64] = popcount((uchar)v) + clz((ushort)v) + (int)rotate((uchar)v, (uchar)3);
    ulong w = upsample(v, v ^ 1);
    out[i + 128] = (int)(w >> 13) + (int)clz(w);""")
    yield plain("flags", """    bool a = in[i] & 1, b = in[i] & 2, c = !a && b, d = a != b;
    bool kept[4] = {a, b, c, d};
    out[i] = kept[in[i] >> 3 & 3] + 2 * (a ^ b) + 4 * (c | d);""")
    yield plain("odd_shift", """    uint v = (uint)in[i], r = 0;
    for (uint k = 0; k < 10; k++, v >>= 3) { uint d = v & 7; r = r * 10 + (d == 3 || d == 5 ? d + 1 : d); }
    out[i] = (int)r;""")


def vectors():
    for kind in "char", "ushort", "int", "uint", "float":
        for width in 2, 3, 4, 8, 16:
            lanes = 256 // 16
            yield plain(f"vector_{kind}{width}", f"""    {kind}{width} a = convert_{kind}{width}(vload{width}(i % {lanes // 2}, in) & 15), b = a + ({kind})1;
    {kind}{width} c = select(a, b, convert_{'int' if kind == 'float' else kind}{width}(a > ({kind})3 && b < ({kind})12));
    c += a * b - ({kind}{width})2;
    c.s0 = c.s1; c.even += c.odd{'' if width != 3 else ' * (' + kind + ')0'};
    int{width} r = convert_int{width}_sat(c);
    if (i < {lanes // 2}) vstore{width}(r, i, out);
    if (any(r > 9) || all(r < 3)) out[200] = 1;""" if width != 3 else f"""    {kind}3 a = convert_{kind}3(vload3(i, in) & 15);
    a.xy = a.yz; a.z += a.x;
    vstore3(convert_int3(a), i, out);""")
    yield plain("swizzles", """    int8 v = vload8(i & 7, in);
    int4 a = v.s7531, b = v.lo + v.hi.wzyx;
    a.s02 = b.s13; b.xw = a.zy;
    if (i < 32) vstore8((int8)(a, b), i, out);""")
    yield plain("shuffles", """    int4 a = vload4(i, in), b = vload4(63 - i, in);
    uint4 mask = convert_uint4(a & 3);
    vstore4(shuffle(a, mask) + shuffle2(a, b, mask + (uint4)4), i, out);""")
    yield plain("relations", """    float4 f = convert_float4(vload4(i, in) & 255) - 100.0f;
    int4 r = isless(f, 0.0f) + isequal(f, floor(f)) + isfinite(f) + signbit(f);
    out[i] = any(r) + 2 * all(isnan(f)) + r.x + r.w; out[i + 64] = as_int4(f).y != 0;""")
    yield plain("reinterpreted", """    uchar16 bytes = as_uchar16(vload4(i, in));
    ushort8 halves = as_ushort8(bytes.s0123456789abcdef + (uchar)1);
    vstore4(as_int4(halves), i, out);
    out[0] = as_int((uchar4)(1, 2, 3, 4));""")
    yield plain("array_of_vectors", """    float4 t[4]; int r = 0;
    for (int k = 0; k < 4; k++) t[k] = (float4)(k, in[i] & 3, 2, 1);
    for (int k = 0; k < 4; k++) r += (int)dot(t[k], t[(k + in[i]) & 3]);
    out[i] = r;""")


def sums():
    for kind, op in ("int", "+"), ("uint", "^"), ("int", "&"), ("float", "+"), ("uchar", "|"), ("int", "*"):
        name = {"+": "add", "^": "xor", "&": "and", "|": "or", "*": "mul"}[op]
        for count in 8, 16:
            start = f"({kind}){-1 if op == '&' and kind == 'int' else 1}"
            yield plain(f"sum_{kind}_{name}_{count}", f"""    {kind} r = {start};
    for (int k = 0; k < {count}; k++)
        r = ({kind})(r {op} ({kind})(({'uint' if op == '*' else 'int'})in[(i + k) & 63] & 15));
    out[i] = (int)r;""")
    yield plain("largest", """    int most = in[i], least = most, at = 0;
    for (int k = 0; k < 16; k++) { if (in[k] > most) { most = in[k]; at = k; } least = min(least, in[k]); }
    out[i] = most ^ least; out[i + 64] = at;""")
    yield plain("any_of", """    int found = 0;
    for (int k = 0; k < 8; k++) found |= in[k + i] == in[k] || in[k + i] > 1000;
    out[i] = found;""")


def local_memory():
    yield plain("tree", """    local int sums[16]; int l = get_local_id(0);
    sums[l] = in[i] & 255;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 8; step > 0; step >>= 1) { if (l < step) sums[l] += sums[l + step]; barrier(CLK_LOCAL_MEM_FENCE); }
    if (l == 0) out[get_group_id(0)] = sums[0];""")
    yield plain("scan", """    local int t[2][16]; int l = get_local_id(0), from = 0;
    t[0][l] = in[i] & 15;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 16; d *= 2, from ^= 1) { t[from ^ 1][l] = t[from][l] + (l >= d ? t[from][l - d] : 0); barrier(CLK_LOCAL_MEM_FENCE); }
    out[i] = t[from][l];""")
    yield plain("histogram", """    local uint bins[8]; int l = get_local_id(0);
    if (l < 8) bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[in[i] & 7]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 8) atomic_add((volatile global int *)&out[l], (int)bins[l]);""")
    yield plain("transposed", """    local int tile[4][5]; int l = get_local_id(0);
    tile[l / 4][l % 4] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[i] = tile[l % 4][l / 4];""")
    yield Kernel("local_argument", HEAD.format(name="local_argument").replace("int n)", "local int *room)") + """
{
    int l = get_local_id(0); room[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] = room[get_local_size(0) - 1 - l];
}
""", runs=False)
    yield plain("async_copy", """    local int room[16];
    event_t e = async_work_group_copy(room, in + get_group_id(0) * 16, 16, 0);
    wait_group_events(1, &e);
    out[i] = room[15 - get_local_id(0)]; prefetch(in, 4);""")


def atomics():
    yield plain("atomic_functions", """    volatile global int *o = (volatile global int *)out;
    atomic_add(o, in[i] & 3); atomic_sub(o + 1, 1); atomic_inc(o + 2); atomic_dec(o + 3); atomic_min(o + 4, in[i]);
    atomic_max(o + 5, in[i]); atomic_and(o + 6, in[i]); atomic_or(o + 7, in[i]); atomic_xor(o + 8, in[i]);""")
    yield plain("atomic_cas", """    volatile global uint *o = (volatile global uint *)out; uint old, new;
    do { old = *o; new = old + ((uint)in[i] & 7); } while (atomic_cmpxchg(o, old, new) != old);""")
    yield plain("atomic_c11", """    global atomic_int *o = (global atomic_int *)out;
    atomic_fetch_add_explicit(o, in[i] & 3, memory_order_relaxed, memory_scope_device);
    atomic_fetch_or_explicit(o + 1, in[i], memory_order_relaxed, memory_scope_device);
    int seen = atomic_load_explicit(o + 3, memory_order_relaxed, memory_scope_device);
    atomic_store_explicit(o + 64 + i, seen + 1, memory_order_relaxed, memory_scope_device);""")
    yield plain("atomic_longs", """    volatile global ulong *o = (volatile global ulong *)out;
    atom_add(o, (ulong)(in[i] & 3)); atom_max(o + 1, (ulong)(uint)in[i]);""",
                "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
                "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable")
    yield plain("atomic_float_loop", """    volatile global int *o = (volatile global int *)out; int old, new;
    do { old = *o; new = as_int(as_float(old) + 1.0f); } while (atomic_cmpxchg(o, old, new) != old);""")


def aggregates():
    yield plain("structs", """    struct pair p = make(in[i], i), q[3];
    q[0] = p; q[1] = make(p.b, p.a); q[2] = q[in[i] & 1];
    out[i] = q[2].a - q[0].b + q[1].inner.x[i & 1];""", """struct pair { int a; short b; struct { uchar x[2]; float f; } inner; };
struct pair make(int a, int b) { struct pair p = {a, (short)b, {{(uchar)a, (uchar)b}, 1.0f}}; return p; }""")
    yield plain("packed", """    struct packed_one p; p.c = (char)in[i]; p.v = in[i]; p.s = (short)i;
    out[i] = p.c + p.v + p.s + (int)sizeof p;""", "struct __attribute__((packed)) packed_one { char c; int v; short s; };")
    yield plain("unions", """    union { int i; float f; uchar b[4]; struct { ushort lo, hi; } h; } u;
    u.i = in[i]; u.b[1] ^= 0x55; u.h.hi += 3; out[i] = u.i;""")
    yield Kernel("struct_argument", """typedef struct { float4 place; int count; char tag[5]; } settings;
kernel void struct_argument(global float4 *out, settings s)
{
    out[get_global_id(0)] = s.place * (float)s.count + (float)s.tag[get_global_id(0) % 5];
}
""", runs=False)
    yield plain("struct_pointer", "    global struct node *nodes = (global struct node *)out; nodes[i].next = in[i] & 63; nodes[i].v += in[63 - i];",
                "struct node { int next; int v; };")
    yield plain("private_array", """    int a[16];
    for (int k = 0; k < 16; k++) a[k] = in[(i * 3 + k) & 255];
    for (int k = 1; k < 16; k++) for (int m = k; m > 0 && a[m - 1] > a[m]; m--) { int t = a[m]; a[m] = a[m - 1]; a[m - 1] = t; }
    out[i] = a[i & 15];""")
    yield plain("matrix", """    int m[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, r = 0;
    for (int y = 0; y < 3; y++) for (int x = 0; x < 3; x++) r += m[y][x] * m[x][(y + in[i]) % 3 < 0 ? 0 : (y + (in[i] & 7)) % 3];
    out[i] = r;""")


def tables():
    yield plain("table", "    out[i] = primes[in[i] & 7] + grid[i & 3][in[i] & 1];",
                "constant int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};\nconstant short grid[4][2] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};")
    yield plain("table_in_function", """    const int t[6] = {9, 8, 7, 6, 5, 4}; constant const char *text = "hello";
    out[i] = t[(uint)in[i] % 6] + text[i % 5];""")
    yield plain("table_of_structs", "    out[i] = entries[in[i] & 1].weight * (int)entries[i & 1].factor;",
                "struct entry { int weight; float factor; };\nconstant struct entry entries[2] = {{3, 2.0f}, {5, 4.0f}};")
    yield plain("program_scope", "    out[i] = counters[i & 3] + scale; if (i == 0) out[64] = *where;",
                "global int counters[4] = {1, 2, 3, 4};\nconstant int scale = 10;\nconstant int *constant where = &scale;")


def helpers():
    for kind in "inline", "static inline", "static", "inline __attribute__((always_inline))", "__attribute__((noinline))", "":
        name = "helper_" + "_".join(word.strip("_()") for word in kind.split()).replace("attribute__((", "")
        yield plain(name, f"    out[i] = {name}_f(in[i], i) + {name}_f(i, 3);", f"{kind} int {name}_f(int a, int b) {{ return a > b ? a - b : b * 2; }}")
    yield plain("pointers", """    int a = in[i], b = i; local int c; int sums[2] = {0, 0};
    exchange(&a, &b); add(sums, a); add(sums + 1, b);
    if (get_local_id(0) == 0) c = 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = sums[0] - sums[1] + read(&c) + read((const int *)&sums[0]);""", """inline void exchange(int *a, int *b) { int t = *a; *a = *b; *b = t; }
void add(int *sum, int v) { *sum += v; }
int read(const int *p) { return *p; }""")
    yield plain("generic_choice", """    local int l; int p = in[i];
    if (get_local_id(0) == 0) l = 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *chosen = in[i] & 1 ? (int *)&l : (int *)&p;
    out[i] = *chosen;""")
    yield plain("address_spaces", "    private int pair[2] = {i, 2};\n    out[i] = of_global(in + i) + of_private(pair);",
                "int of_global(global const int *p) { return *p; }\nint of_private(private const int *p) { return p[0] * p[1]; }")
    yield plain("macros", "    out[i] = SQUARE(in[i] & 15) + MOST(i, 7);", "#define SQUARE(x) ((x) * (x))\n#define MOST(a, b) ((a) > (b) ? (a) : (b))")
    yield plain("kernel_calls_kernel", "    called_kernel(out, in, n); out[i] += 1;",
                "kernel void called_kernel(global int *out, global const int *in, int n) { out[get_global_id(0)] = in[get_global_id(0)] + n; }")
    yield plain("chain", "    out[i] = f3(in[i] & 255);", "\n".join(
        f"inline uint f{k}(uint v) {{ return {'v * 5 + 1' if k == 0 else f'f{k - 1}(v ^ {k}) + f{k - 1}(v >> {k})'}; }}" for k in range(4)))


def flow():
    yield plain("do_while", "    int v = in[i] & 255, c = 0;\n    do { v = v & 1 ? 3 * v + 1 : v / 2; if (c > 30) break; if (v == 7) continue; c++; } while (v > 1 && c < 40);\n    out[i] = c;")
    yield plain("nested_breaks", """    int r = 0;
    for (int a = 0; a < 6; a++) { for (int b = 0; ; b++) { if (b > a) break; if (((a ^ b) & in[i]) == 2) goto done; r += b; } if (r > 20) break; }
done: out[i] = r;""")
    yield plain("goto_back", "    int r = 0;\nagain: r += in[i] & 3; if (r < 10 && r != 0) { r++; goto again; }\n    out[i] = r;")
    yield plain("return_in_loop", "    for (int k = 0; k < 8; k++) { if (in[(i + k) & 63] < 0) { out[i] = k; return; } if (k == 6 && i == 3) return; }\n    out[i] = -1;")
    yield plain("ternaries", "    int v = in[i]; out[i] = v < 0 ? -1 : v == 0 ? 0 : v < 100 ? 1 : v & 1 ? 2 : 3;")
    yield plain("short_circuits", "    int v = in[i], c = 0; if ((v > 3 && ++c) || (v < -3 && (c += 2)) || !(c = 7)) c += 10; out[i] = c;")
    yield plain("unrolled", "    int r = 0;\n#pragma unroll 4\n    for (int k = 0; k < n % 7 + 8; k++) r += in[k & 63] * k;\n    __attribute__((opencl_unroll_hint(2)))\n    for (int k = 0; k < 6; k++) r ^= k << (in[i] & 3);\n    out[i] = r;".replace("in[k & 63] * k", "(in[k & 63] & 255) * k"))
    yield plain("expected", "    if (__builtin_expect(in[i] > 1000, 0)) { out[i] = 1; return; }\n    out[i] = 2;")
    yield plain("irreducible", "    int r = 0, k = in[i] & 7; if (k & 1) goto middle;\ntop: r += 3;\nmiddle: r ^= k; if (--k > 0) goto top;\n    out[i] = r;")
    yield plain("size_loops", "    size_t total = 0; for (size_t k = get_local_id(0); k < 64; k += get_local_size(0)) total += (size_t)(in[k] & 7);\n    out[i] = (int)total; ptrdiff_t d = (out + i) - out; out[i] += (int)d;")
    yield plain("volatile_loop", "    volatile int v = 0; for (int k = 0; k < 5; k++) v += in[i] & k; out[i] = v;")


def functions():
    for kind in "float", "double", "half":
        letter = {"float": "f", "double": "", "half": "h"}[kind]
        yield plain(f"math_{kind}", f"""    {kind} x = ({kind})(in[i] & 7) + ({kind})1, y = ({kind})2;
    {kind} r = sqrt(x) + fabs(-x) + floor(x / y) + ceil(x) + fmin(x, y) + fmax(x, y) + fma(x, y, x) + mad(x, y, y) + clamp(x, y, x)
        + mix(x, y, ({kind})0.5) + step(x, y) + sign(x) + trunc(x) + rint(x) + copysign(x, y) + ldexp(x, 1) + x * 0.5{letter};
    out[i] = (int)(r * ({kind})4);""", f"#pragma OPENCL EXTENSION cl_khr_fp{'16' if kind == 'half' else '64'} : enable", runs=kind == "float")
    yield Kernel("math_more", """kernel void math_more(global float4 *p)
{
    float4 x = p[get_global_id(0)], a, b; int4 e; float f;
    x += sin(x) + cos(x) + tan(x) + asin(x) + acos(x) + atan(x) + atan2(x, x.yzwx) + sinh(x) + cosh(x) + tanh(x) + exp(x) + exp2(x)
        + log(x) + log2(x) + log10(x) + pow(x, 2.5f) + pown(x, (int4)3) + rootn(x, (int4)3) + powr(x, x) + cbrt(x) + erf(x) + tgamma(x)
        + hypot(x, x) + fmod(x, 3.0f) + remainder(x, 2.0f) + rsqrt(x) + native_sin(x) + half_exp(x) + native_recip(x) + ilogb(x.x);
    a = sincos(x, &b) + fract(x, &b) + frexp(x, &e) + modf(x, &b) + lgamma_r(x, &e) + remquo(x, a, &e) + nextafter(x, a) + nan((uint4)1);
    p[get_global_id(0)] = a + b + convert_float4(e) + length(x) + distance(x, a) + normalize(x) + cross(x, b) + fast_length(x)
        + smoothstep(0.0f, 1.0f, x) + degrees(x) + radians(x);
}
""", runs=False)
    for kind in "char", "ushort", "int", "ulong", "float", "double":
        for other in "uchar", "short", "long", "float":
            yield Kernel(f"convert_{kind}_{other}", f"""kernel void convert_{kind}_{other}(global {kind}4 *from, global {other}4 *to)
{{
    size_t i = get_global_id(0);
    to[i] = convert_{other}4{'_sat_rte' if other != 'float' else '_rtz'}(from[i]) + convert_{other}4(from[i]) + ({other})from[i].x;
}}
""", runs=False)
    yield Kernel("halves", """#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void halves(global half *h, global half4 *v, global float *f)
{
    size_t i = get_global_id(0);
    vstore_half(vload_half(i, h) + 1.0f, i + 8, h); vstore_half4_rte(vload_half4(i, h), i, h); vstorea_half8(vloada_half8(i, h), i, h);
    v[i] = v[i] * (half)2 + (half4)(1.0h, 2, 3, h[i]); f[i] = convert_float(h[i]); if (h[i] > 1.0h || h[i] != h[i]) h[i] = (half)f[i];
}
""", runs=False)
    yield plain("printed", '    if (i == 200) printf("%d of %s: %v4d %f %c %%\\n", i, "text", vload4(0, in), 1.5f, \'x\'); out[i] = 1;')
    yield plain("work_items", "    out[i] = (int)(get_global_size(0) + get_local_size(0) + get_num_groups(0) + get_group_id(0) + get_work_dim() + get_global_offset(0)\n        + get_global_linear_id() + get_local_linear_id() + get_enqueued_local_size(0) + get_local_id(n & 0));")


def images():
    yield Kernel("image_copy", """constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
float4 at(read_only image2d_t image, int2 where) { return read_imagef(image, nearest, where); }
kernel void image_copy(read_only image2d_t from, write_only image2d_t to)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    if (p.x >= get_image_width(from) || any(p >= get_image_dim(to))) return;
    write_imagef(to, p, at(from, p) + at(from, p + 1));
}
""", runs=False)
    yield Kernel("image_kinds", """kernel void image_kinds(read_only image3d_t v, read_only image2d_array_t a, read_only image1d_buffer_t b, read_only image1d_t l,
    sampler_t given, write_only image2d_t to, read_write image2d_t both)
{
    const sampler_t own = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    float4 r = read_imagef(v, given, (float4)(0.5f)) + read_imagef(a, own, (float4)(0.5f, 0.5f, 1, 0)) + convert_float4(read_imagei(b, p.x));
    r += convert_float4(read_imageui(l, p.x)) + read_imagef(both, p) + (float)get_image_depth(v) + (float)get_image_array_size(a);
    write_imagef(to, p, r); write_imagef(both, p, r);
}
""", runs=False)


def groups():
    yield Kernel("sub_groups", """#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sub_groups(global int *p)
{
    int v = p[get_global_id(0)];
    p[get_global_id(0)] = sub_group_reduce_add(v) + sub_group_scan_inclusive_max(v) + sub_group_broadcast(v, 0) + sub_group_all(v)
        + sub_group_any(v) + get_sub_group_size() + get_sub_group_local_id() + get_num_sub_groups() + get_max_sub_group_size();
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
}
""", runs=False)
    yield Kernel("sub_group_shuffles", """kernel void sub_group_shuffles(global uint *p)
{
    uint v = p[get_global_id(0)];
    v += sub_group_shuffle(v, 3u) + sub_group_shuffle_xor(v, 1u) + sub_group_ballot(v).x + sub_group_non_uniform_reduce_add(v);
    p[get_global_id(0)] = v + sub_group_clustered_reduce_max(v, 4u);
}
""", runs=False, options=("-cl-std=CL3.0",))
    yield Kernel("intel_sub_groups", """__attribute__((intel_reqd_sub_group_size(16)))
kernel void intel_sub_groups(global uint *p, global ushort *q)
{
    uint4 v = intel_sub_group_block_read4(p);
    v.x = intel_sub_group_shuffle(v.x, 3) + intel_sub_group_shuffle_down(v.y, v.z, 1u);
    intel_sub_group_block_write4(p + 64, v); intel_sub_group_block_write_us(q, intel_sub_group_block_read_us(q));
}
""", runs=False)
    yield plain("work_group_functions", "    out[i] = work_group_reduce_add(in[i] & 15) + work_group_scan_exclusive_add(1) + work_group_broadcast(i, 3) + work_group_any(in[i] > 5);")
    yield Kernel("attributes", """__attribute__((reqd_work_group_size(8, 2, 1))) __attribute__((vec_type_hint(float4)))
kernel void attributes(global float *restrict p, global const float *restrict q, constant float *c)
{
    p[get_global_linear_id()] = q[get_global_id(1)] + c[get_local_id(0)];
}
""", runs=False)
    yield plain("fences", "    out[i] = in[i]; mem_fence(CLK_GLOBAL_MEM_FENCE); read_mem_fence(CLK_LOCAL_MEM_FENCE);\n    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group); atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);")


FAMILIES = (borders, divisions, switches, narrow, vectors, sums, local_memory, atomics, aggregates, tables, helpers, flow, functions,
            images, groups)


def kernels():
    return [kernel for family in FAMILIES for kernel in family()]
