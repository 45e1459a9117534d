"""The photo studio: stage, light, camera and materials.

Everything is measured in centimetres.  A scene function only builds the things
in front of the lens; `shoot()` then measures them, moves the camera so that they
fill the wanted part of the frame, and scales the lights and the paper backdrop
along, so that a tasting cup and a floor vase are lit in the same way.
"""
import math
from contextlib import contextmanager

import bpy
import numpy as np
from mathutils import Matrix, Vector

# --------------------------------------------------------------------------
# colours

def rgb(code):
    """'#rrggbb' (sRGB) -> linear RGB tuple."""
    code = code.lstrip('#')
    values = [int(code[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    return tuple(v / 12.92 if v <= .04045 else ((v + .055) / 1.055) ** 2.4 for v in values)


# the house palette of paper backdrops (linear albedo) and of the glazes
BACKDROPS = {
    'greige': (.64, .56, .475),
    'sage': (.45, .49, .37),
    'clay': (.60, .36, .27),
    'sand': (.74, .62, .46),
    'ink': (.040, .066, .056),
}

# --------------------------------------------------------------------------
# a short way to write shader graphs


class Graph:
    """A material under construction: g.n('TexNoise', Scale=3) and friends."""

    def __init__(self, name):
        self.mat = bpy.data.materials.new(name)
        self.mat.use_nodes = True
        self.tree = self.mat.node_tree
        self.tree.nodes.clear()
        self.out = self.tree.nodes.new('ShaderNodeOutputMaterial')
        self._coords = None

    def n(self, kind, props=None, **inputs):
        node = self.tree.nodes.new('ShaderNode' + kind)
        for key, value in (props or {}).items():
            setattr(node, key, value)
        for key, value in inputs.items():
            self.put(node, key.replace('_', ' '), value)
        return node

    def put(self, node, key, value):
        socket = node.inputs[key]
        if isinstance(value, bpy.types.NodeSocket):
            self.tree.links.new(value, socket)
        elif socket.type == 'RGBA' and len(value) == 3:
            socket.default_value = (*value, 1)
        else:
            socket.default_value = value

    @property
    def coords(self):
        if self._coords is None:
            self._coords = self.n('TexCoord')
        return self._coords

    @property
    def obj(self):
        return self.coords.outputs['Object']

    @property
    def uv(self):
        return self.coords.outputs['UV']

    def xyz(self):
        return self.n('SeparateXYZ', Vector=self.obj).outputs

    def math(self, op, a, b=0.0, c=None, clamp=False):
        node = self.n('Math', {'operation': op, 'use_clamp': clamp})
        for i, value in enumerate((a, b) if c is None else (a, b, c)):
            if isinstance(value, bpy.types.NodeSocket):
                self.tree.links.new(value, node.inputs[i])
            else:
                node.inputs[i].default_value = value
        return node.outputs[0]

    def mix(self, fac, a, b, blend='MIX'):
        node = self.n('MixRGB', {'blend_type': blend}, Fac=fac, Color1=a, Color2=b)
        return node.outputs['Color']

    def step(self, value, lo, hi, out_lo=0.0, out_hi=1.0):
        """Smooth 0..1 ramp of value between lo and hi."""
        node = self.n('MapRange', {'interpolation_type': 'SMOOTHSTEP'})
        self.tree.links.new(value, node.inputs[0])
        for i, number in zip((1, 2, 3, 4), (lo, hi, out_lo, out_hi)):
            node.inputs[i].default_value = number
        return node.outputs[0]

    def stretch(self, sx, sy, sz, vector=None):
        return self.n('Mapping', Vector=vector or self.obj, Scale=(sx, sy, sz)).outputs['Vector']

    def noise(self, scale, detail=2.0, vector=None, distortion=0.0):
        return self.n('TexNoise', Vector=vector or self.obj, Scale=scale, Detail=detail,
                      Distortion=distortion).outputs['Fac']

    def bump(self, height, distance, strength=1.0, normal=None):
        node = self.n('Bump', Height=height, Distance=distance, Strength=strength)
        if normal is not None:
            self.put(node, 'Normal', normal)
        return node.outputs['Normal']

    def specks(self, scale, size=.35, share=.4, vector=None):
        """Round spots of mixed size: 1 inside a spot, 0 outside."""
        node = self.n('TexVoronoi', Vector=vector or self.obj, Scale=scale)
        random = self.n('SeparateColor', Color=node.outputs['Color']).outputs[0]
        radius = self.math('MULTIPLY_ADD', random, size / share, size * (1 - 1 / share))
        inside = self.math('SUBTRACT', radius, node.outputs['Distance'])
        return self.step(inside, 0.0, .06)

    def principled(self, **inputs):
        node = self.n('BsdfPrincipled', **inputs)
        self.tree.links.new(node.outputs[0], self.out.inputs['Surface'])
        return node

    def surface(self, shader):
        self.tree.links.new(shader, self.out.inputs['Surface'])
        return self.mat


# --------------------------------------------------------------------------
# materials

def glaze(color, edge=None, lip=None, specks=None, speck_scale=2.2, speck_size=.34, speck_share=.45,
          rough=.2, coat=.35, bump=.02, mottle=.10, dip=None, dip_z=None, dip_above=True, stripes=None,
          stripe_color=(.02, .05, .22), raw_z=None, raw=(.50, .36, .25), name='glaze'):
    """Glazed stoneware or porcelain.

    edge: colour where the glaze is seen at a flat angle (pooling);  lip: colour
    where it breaks over sharp edges;  specks: colour of iron spots;  dip/dip_z:
    second glaze above (or below) a wavy line;  stripes: [(z0, z1)] brushed bands;
    raw_z: bare clay below this height.
    """
    g = Graph(name)
    wide = g.noise(.22, 2)
    col = g.mix(wide, tuple(c * (1 - mottle) for c in color), tuple(min(.95, c * (1 + mottle)) for c in color))
    z = g.xyz()['Z']
    if edge:
        facing = g.n('LayerWeight', Blend=.38).outputs['Facing']
        pool = g.math('MULTIPLY_ADD', wide, .5, g.math('MULTIPLY', facing, 1.0), clamp=True)
        col = g.mix(g.step(pool, .35, 1.05), col, edge)
    if dip:
        line = g.math('MULTIPLY_ADD', g.noise(.45, 1), 1.1, z)
        fac = g.step(line, dip_z + .5, dip_z + .62) if dip_above else g.step(line, dip_z + .5, dip_z + .62, 1., 0.)
        col = g.mix(fac, col, dip)
    if stripes:
        wob = g.math('MULTIPLY_ADD', g.noise(.6, 2), .22, z)
        tone = g.step(g.noise(1.4, 2, g.stretch(.5, .5, 5)), .2, .75, .72, 1.)
        for z0, z1 in stripes:
            band = g.math('MULTIPLY', g.step(wob, z0 + .08, z0 + .14), g.step(wob, z1 + .08, z1 + .14, 1., 0.))
            col = g.mix(g.math('MULTIPLY', band, tone), col, stripe_color)
    if specks:
        mask = g.specks(speck_scale, speck_size, speck_share)
        fine = g.specks(speck_scale * 2.7, speck_size * .9, speck_share * .7)
        col = g.mix(g.math('MULTIPLY', mask, .85), col, specks)
        col = g.mix(g.math('MULTIPLY', fine, .7), col, specks)
    if lip:
        point = g.n('NewGeometry').outputs['Pointiness']
        col = g.mix(g.step(point, .515, .57), col, lip)
    roughness, clear = rough, coat
    if raw_z is not None:
        line = g.math('MULTIPLY_ADD', g.noise(.8, 1), .18, z)
        bare = g.step(line, raw_z + .09, raw_z + .13, 1., 0.)
        col = g.mix(bare, col, raw)
        roughness = g.math('MULTIPLY_ADD', bare, .85 - rough, rough)
        clear = g.math('MULTIPLY_ADD', bare, -coat, coat)
    normal = g.bump(g.noise(.8, 1), bump * 4)
    g.principled(Base_Color=col, Roughness=roughness, Clearcoat=clear, Clearcoat_Roughness=.08,
                 Specular=.5, Normal=normal)
    return g.mat


def clay(color, rough=.75, bump=.035, grain=9.0, vary=.16, specks=None, rings=0.0, sheen=0.0, name='clay'):
    """Unglazed clay: fine grain, soft colour changes, maybe throwing rings."""
    g = Graph(name)
    col = g.mix(g.noise(.5, 3), tuple(c * (1 - vary) for c in color), tuple(c * (1 + vary) for c in color))
    grain_noise = g.noise(grain, 2)
    col = g.mix(g.step(grain_noise, .55, .75, 0., .35), col, tuple(min(1, c * 1.7) for c in color))
    if specks:
        col = g.mix(g.specks(2.4, .3, .4), col, specks)
    height = grain_noise
    if rings:
        wave = g.n('TexWave', {'bands_direction': 'Z'}, Vector=g.obj, Scale=.42, Distortion=1.5, Detail=1.0).outputs['Fac']
        height = g.math('MULTIPLY_ADD', wave, rings, height)
    g.principled(Base_Color=col, Roughness=rough, Specular=.35, Clearcoat=sheen, Clearcoat_Roughness=.35,
                 Normal=g.bump(height, bump))
    return g.mat


def plain(color, rough=.5, specular=.5, metallic=0.0, coat=0.0, bump=0.0, grain=6.0, sss=0.0, sss_color=None, name='plain'):
    """One colour: lacquered tin, silicone, ceramic paint, dough ..."""
    g = Graph(name)
    node = g.principled(Base_Color=color, Roughness=rough, Specular=specular, Metallic=metallic, Clearcoat=coat)
    if sss:
        g.put(node, 'Subsurface', sss)
        g.put(node, 'Subsurface Radius', (1.0, .5, .25))
        g.put(node, 'Subsurface Color', sss_color or color)
    if bump:
        g.put(node, 'Normal', g.bump(g.noise(grain, 2), bump))
    return g.mat


def cheap_shadows(g, shader, tint=(1, 1, 1), keep=.92):
    """Let light through for shadow and diffuse rays (caustics are off)."""
    path = g.n('LightPath').outputs
    soft = g.math('MAXIMUM', path['Is Shadow Ray'], path['Is Diffuse Ray'])
    clear = g.n('BsdfTransparent', Color=tuple(c * keep for c in tint)).outputs[0]
    node = g.n('MixShader', Fac=soft)
    g.tree.links.new(shader, node.inputs[1])
    g.tree.links.new(clear, node.inputs[2])
    return g.surface(node.outputs[0])


def glass(tint=(.985, .995, .99), ior=1.45, rough=0.0, keep=.93, name='glass'):
    g = Graph(name)
    shader = g.n('BsdfGlass', Color=tint, IOR=ior, Roughness=rough).outputs[0]
    return cheap_shadows(g, shader, tint, keep)


def liquid(color, body=.0, name='liquid'):
    """Clear coloured drink: tinted see-through body and a thin mirror surface.

    It does not bend light, so whatever swims inside stays readable, and rays stay short.
    body: share of cloudiness.
    """
    g = Graph(name)
    facing = g.n('LayerWeight', Blend=.35).outputs['Facing']
    deep = tuple(c ** 2.2 for c in color)
    tint = g.mix(g.step(facing, .15, .95), color, deep)
    shader = g.n('BsdfTransparent', Color=tint).outputs[0]
    if body:
        node = g.n('MixShader', Fac=body)
        cloudy = g.n('BsdfDiffuse', Color=color).outputs[0]
        g.tree.links.new(shader, node.inputs[1])
        g.tree.links.new(cloudy, node.inputs[2])
        shader = node.outputs[0]
    gloss = g.n('BsdfGlossy', Color=(1, 1, 1), Roughness=.03).outputs[0]
    node = g.n('MixShader', Fac=g.n('Fresnel', IOR=1.28).outputs[0])
    g.tree.links.new(shader, node.inputs[1])
    g.tree.links.new(gloss, node.inputs[2])
    return g.surface(node.outputs[0])


def drink(color, rim=None, rough=.12, foam=None, name='drink'):
    """Surface of an opaque or dark drink in a cup."""
    g = Graph(name)
    col = color
    if rim:
        x, y, _ = [g.xyz()[k] for k in 'XYZ']
        radius = g.math('SQRT', g.math('ADD', g.math('MULTIPLY', x, x), g.math('MULTIPLY', y, y)))
        col = g.mix(g.step(radius, rim[1], rim[2]), color, rim[0])
    if foam:
        swirl = g.noise(.55, 3, distortion=2.2)
        col = g.mix(g.step(swirl, .50, .60, 0., .75), col, foam)
        bubbles = g.specks(5.0, .3, .35)
        col = g.mix(g.math('MULTIPLY', bubbles, .35), col, foam)
        normal = g.bump(bubbles, .015)
        g.principled(Base_Color=col, Roughness=rough, Specular=.5, Normal=normal)
    else:
        g.principled(Base_Color=col, Roughness=rough, Specular=.5)
    return g.mat


def metal(color, rough=.28, brushed=0.0, tarnish=0.0, name='metal'):
    g = Graph(name)
    col = color
    if tarnish:
        col = g.mix(g.step(g.noise(.7, 4), .42, .72, 0., tarnish), color, tuple(c * .35 for c in color))
    node = g.principled(Base_Color=col, Metallic=1.0, Roughness=rough)
    if brushed:
        g.put(node, 'Normal', g.bump(g.noise(4, 2, g.stretch(.6, 14, 14)), brushed))
    return g.mat


BRASS = rgb('#d7ae62')
STEEL = (.62, .61, .59)

WOODS = {  # light, dark, gloss roughness
    'walnut': (rgb('#7b5537'), rgb('#3f2718'), .42),
    'acacia': (rgb('#a86f41'), rgb('#5c351c'), .4),
    'bamboo': (rgb('#dcb57c'), rgb('#b98a4e'), .45),
    'beech': (rgb('#d5ab7a'), rgb('#b5854f'), .5),
    'oak': (rgb('#ab8d68'), rgb('#856845'), .5),
    'ebony': (rgb('#3a2a22'), rgb('#1c1310'), .35),
}


def wood(kind='walnut', axis='X', scale=1.0, name=None):
    """Long grain along one axis: stretched noise for fibres, warped waves for rings."""
    light, dark, rough = WOODS[kind]
    g = Graph(name or kind)
    long, across = .10 * scale, 1.0 * scale
    s = [across] * 3
    s['XYZ'.index(axis)] = long
    # the heart of the trunk lies outside of the piece
    heart = [0.0 if a == axis else d for a, d in zip('XYZ', (17.0, 11.0, -23.0))]
    vec = g.n('Mapping', Vector=g.obj, Scale=s, Location=heart).outputs['Vector']
    warp = g.noise(.35, 2, vec)
    if kind == 'bamboo':
        props, freq = {'wave_type': 'BANDS', 'bands_direction': 'Y' if axis != 'Y' else 'X'}, 1.2
    else:
        props, freq = {'wave_type': 'RINGS', 'rings_direction': axis}, .20
    rings = g.n('TexWave', props, Vector=vec, Scale=freq, Distortion=4.0, Detail=2.0, Detail_Scale=.5).outputs['Fac']
    fibre = g.noise(7, 2, vec)
    tone = g.math('MULTIPLY_ADD', rings, .55, g.math('MULTIPLY', warp, .45))
    col = g.mix(tone, dark, light)
    pores = g.step(fibre, .28, .50, .74, 1.0)
    col = g.mix(1.0, col, g.n('CombineColor', Red=pores, Green=pores, Blue=pores).outputs[0], 'MULTIPLY')
    g.principled(Base_Color=col, Roughness=rough, Specular=.4, Normal=g.bump(fibre, .02))
    return g.mat


def linen(color, second=None, threads=14.0, stripe=None, name='linen'):
    """Woven cloth: crossing threads as bump and a slightly uneven colour.  Uses UV in cm."""
    g = Graph(name)
    u, v, _ = [g.n('SeparateXYZ', Vector=g.uv).outputs[k] for k in 'XYZ']
    k = threads * math.pi / 2
    su, sv = g.math('SINE', g.math('MULTIPLY', u, k)), g.math('SINE', g.math('MULTIPLY', v, k))
    weave = g.math('MULTIPLY', su, sv)
    yarn = g.math('ADD', g.noise(1, 2, g.stretch(1.2, 26, 1, g.uv)), g.noise(1, 2, g.stretch(26, 1.2, 1, g.uv)))
    col = g.mix(g.step(yarn, .7, 1.3), tuple(c * .72 for c in color), tuple(min(1, c * 1.18) for c in color))
    col = g.mix(g.step(weave, -.9, .2, .28, 0.), col, tuple(c * .45 for c in color))
    if stripe:
        value, width, at = stripe
        for a in at:
            d = g.math('ABSOLUTE', g.math('SUBTRACT', u, a))
            col = g.mix(g.step(d, width, width + .06, .9, 0.), col, value)
    height = g.math('MULTIPLY_ADD', weave, .5, yarn)
    g.principled(Base_Color=col, Roughness=.9, Specular=.15, Sheen=.4, Normal=g.bump(height, .035))
    return g.mat


def paper(color, bump=.01, image=None, name='paper'):
    g = Graph(name)
    col = color
    if image is not None:
        col = g.n('TexImage', {'image': image, 'interpolation': 'Cubic', 'extension': 'EXTEND'}, Vector=g.uv).outputs['Color']
    fibre = g.noise(5, 3)
    g.principled(Base_Color=col, Roughness=.7, Specular=.3, Normal=g.bump(fibre, bump))
    return g.mat


def painted(image, rough=.15, coat=.4, name='painted'):
    """Glazed porcelain with a painted (numpy/pillow drawn) pattern on UV."""
    g = Graph(name)
    tex = g.n('TexImage', {'image': image, 'interpolation': 'Cubic', 'extension': 'REPEAT'}, Vector=g.uv)
    g.principled(Base_Color=tex.outputs['Color'], Roughness=rough, Clearcoat=coat, Clearcoat_Roughness=.06,
                 Normal=g.bump(g.noise(.8, 1), .05))
    return g.mat


def wax(color, glow=0.0, top=None, name='wax'):
    """Candle wax; with glow > 0 the upper part shines from the flame inside."""
    g = Graph(name)
    node = g.principled(Base_Color=color, Roughness=.38, Specular=.45, Normal=g.bump(g.noise(1.2, 2), .04))
    if glow:
        z = g.xyz()['Z']
        fac = g.step(z, top - 3.2, top + .3, 0.0, glow)
        g.put(node, 'Emission', (1.0, .45, .13, 1))
        g.put(node, 'Emission Strength', fac)
        g.mat.cycles.sample_as_light = False
    return g.mat


def glow(color, strength, name='glow'):
    g = Graph(name)
    g.mat.cycles.sample_as_light = False      # lamp_point() next to it gives the light
    return g.surface(g.n('Emission', Color=color, Strength=strength).outputs[0])


def flame_material():
    """Flame: bluish root, white-yellow heart, orange tip (object z from 0 to 1)."""
    g = Graph('flame')
    g.mat.cycles.sample_as_light = False
    z = g.xyz()['Z']
    ramp = g.n('ValToRGB', Fac=z)
    e = ramp.color_ramp.elements
    e[0].position, e[0].color = 0.0, (.20, .22, .75, 1)
    e[1].position, e[1].color = .22, (1, .62, .22, 1)
    for pos, col in ((.5, (1, .74, .36, 1)), (1.0, (1, .42, .08, 1))):
        new = e.new(pos)
        new.color = col
    power = g.step(z, 0.0, .35, 1.5, 14.0)
    facing = g.n('LayerWeight', Blend=.3).outputs['Facing']
    shader = g.n('Emission', Color=ramp.outputs['Color'], Strength=power).outputs[0]
    clear = g.n('BsdfTransparent').outputs[0]
    node = g.n('MixShader', Fac=g.step(facing, .35, 1.0, 0., .85))
    g.tree.links.new(shader, node.inputs[1])
    g.tree.links.new(clear, node.inputs[2])
    return g.surface(node.outputs[0])


def shade(color, strength, z0=None, z1=None, ribs=None, weave=0.0, low=None, name='shade'):
    """A lamp shade that is lit from inside: diffuse cloth or paper plus glow.

    z0..z1: the glow is strongest in the middle of this range;  ribs: (centre, half height,
    count) of the hoops of a paper lantern;  low: share of the glow left at the top end.
    """
    g = Graph(name)
    z = g.xyz()['Z']
    power = strength
    if z0 is not None:
        mid, half = (z0 + z1) / 2, (z1 - z0) / 2
        d = g.math('ABSOLUTE', g.math('DIVIDE', g.math('SUBTRACT', z, mid), half))
        power = g.step(d, 0.0, 1.15, strength, strength * .38)
    if low is not None:
        power = g.step(z, z0, z1, strength, strength * low)
    if ribs:
        t = g.math('DIVIDE', g.math('SUBTRACT', z, ribs[0]), ribs[1], clamp=False)
        wave = g.math('ABSOLUTE', g.math('SINE', g.math('MULTIPLY', g.math('ARCSINE', t), ribs[2])))
        power = g.math('MULTIPLY', g.step(wave, .0, .5, .60, 1.), power)
    facing = g.n('LayerWeight', Blend=.4).outputs['Facing']
    power = g.math('MULTIPLY', g.step(facing, 0., 1., 1., .5), power)
    fibre = g.noise(3, 3)
    power = g.math('MULTIPLY', g.step(fibre, .3, .7, .86, 1.08), power)
    node = g.principled(Base_Color=color, Roughness=.8, Specular=.2, Emission=(1.0, .62, .30, 1))
    g.put(node, 'Emission Strength', power)
    if weave:
        g.put(node, 'Normal', g.bump(g.noise(4, 2, g.stretch(1, 1, 9)), weave))
    g.mat.cycles.sample_as_light = False      # large and dim: found by chance is less noisy
    return g.mat


# --------------------------------------------------------------------------
# stage, light, camera

@contextmanager
def placed(x=0, y=0, z=0, turn=0, scale=1.0, tilt=0, tilt_axis='X'):
    """Everything built inside the block is moved together (turn/tilt in degrees)."""
    before = set(bpy.data.objects)
    yield
    move = (Matrix.Translation((x, y, z)) @ Matrix.Rotation(math.radians(turn), 4, 'Z')
            @ Matrix.Rotation(math.radians(tilt), 4, tilt_axis) @ Matrix.Scale(scale, 4))
    for obj in set(bpy.data.objects) - before:
        obj.matrix_basis = move @ obj.matrix_basis


def reset():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = 'CYCLES'
    return scene


def sweep_backdrop(color, s, name='backdrop'):
    """Seamless paper: floor, wide curve, wall; s is the stage scale."""
    profile = [(-16, 0)] + [(4 + 3 * math.sin(a * math.pi / 48), 3 - 3 * math.cos(a * math.pi / 48)) for a in range(25)] + [(7, 16)]
    verts = [(x * s, y * s, z * s) for x in (-26, 26) for y, z in profile]
    n = len(profile)
    faces = [(k, k + 1, n + k + 1, n + k) for k in range(n - 1)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(verts, [], faces)
    obj = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(obj)
    g = Graph(name)
    mottled = g.noise(.7 / s, 3)
    col = g.mix(mottled, tuple(c * .95 for c in color), tuple(min(.9, c * 1.05) for c in color))
    g.principled(Base_Color=col, Roughness=.92, Specular=.18)
    mesh.materials.append(g.mat)
    for p in mesh.polygons:
        p.use_smooth = True
    obj['stage'] = True
    return obj


def aim(obj, target):
    obj.rotation_euler = (Vector(target) - obj.location).to_track_quat('-Z', 'Y').to_euler()


def window_light(loc, target, width, height, energy, color, panes=True):
    """A rectangular area light; with panes it reflects as a 2 x 3 sash window."""
    data = bpy.data.lights.new('window', 'AREA')
    data.shape, data.size, data.size_y = 'RECTANGLE', width, height
    data.energy, data.color = energy, color
    if panes:
        data.use_nodes = True
        tree = data.node_tree
        tree.nodes.clear()
        new, link = tree.nodes.new, tree.links.new
        out, emit = new('ShaderNodeOutputLight'), new('ShaderNodeEmission')
        geo, sep = new('ShaderNodeNewGeometry'), new('ShaderNodeSeparateXYZ')
        link(geo.outputs['Parametric'], sep.inputs[0])
        mask = None
        for axis, count in (('X', 2), ('Y', 3)):
            mul, frac, sub, absl, less = [new('ShaderNodeMath') for _ in range(5)]
            mul.operation, frac.operation, sub.operation, absl.operation, less.operation = (
                'MULTIPLY', 'FRACT', 'SUBTRACT', 'ABSOLUTE', 'LESS_THAN')
            link(sep.outputs[axis], mul.inputs[0])
            mul.inputs[1].default_value = count
            link(mul.outputs[0], frac.inputs[0])
            link(frac.outputs[0], sub.inputs[0])
            sub.inputs[1].default_value = .5
            link(sub.outputs[0], absl.inputs[0])
            link(absl.outputs[0], less.inputs[0])
            less.inputs[1].default_value = .455
            if mask is None:
                mask = less
            else:
                both = new('ShaderNodeMath')
                both.operation = 'MULTIPLY'
                link(mask.outputs[0], both.inputs[0])
                link(less.outputs[0], both.inputs[1])
                mask = both
        link(mask.outputs[0], emit.inputs['Strength'])
        link(emit.outputs[0], out.inputs['Surface'])
    obj = bpy.data.objects.new('window', data)
    obj.location = loc
    bpy.context.collection.objects.link(obj)
    aim(obj, target)
    return obj


def lamp_point(loc, energy, color=(1, .56, .24), radius=1.0):
    """A small warm bulb (candle flame, lamp)."""
    data = bpy.data.lights.new('bulb', 'POINT')
    data.energy, data.color, data.shadow_soft_size = energy, color, radius
    obj = bpy.data.objects.new('bulb', data)
    obj.location = loc
    bpy.context.collection.objects.link(obj)
    return obj


def world(scene, strength):
    """Soft surroundings: brighter above and on the right (the white wall of the room)."""
    w = bpy.data.worlds.new('room')
    scene.world = w
    w.use_nodes = True
    w.cycles.sampling_method = 'NONE'
    tree = w.node_tree
    back = tree.nodes['Background']
    coord, sep, ramp, add = [tree.nodes.new('ShaderNode' + k) for k in ('TexCoord', 'SeparateXYZ', 'ValToRGB', 'Math')]
    tree.links.new(coord.outputs['Generated'], sep.inputs[0])
    add.operation = 'MULTIPLY_ADD'
    tree.links.new(sep.outputs['Z'], add.inputs[0])
    add.inputs[1].default_value = .30
    half = tree.nodes.new('ShaderNodeMath')
    half.operation = 'MULTIPLY_ADD'
    half.inputs[1].default_value, half.inputs[2].default_value = .22, .48
    tree.links.new(sep.outputs['X'], half.inputs[0])
    tree.links.new(half.outputs[0], add.inputs[2])
    tree.links.new(add.outputs[0], ramp.inputs[0])
    e = ramp.color_ramp.elements
    e[0].position, e[0].color = .1, (.16, .15, .15, 1)
    e[1].position, e[1].color = 1., (1.0, .98, .96, 1)
    tree.links.new(ramp.outputs[0], back.inputs['Color'])
    back.inputs['Strength'].default_value = strength


def subject_points():
    """World positions of all the vertices that belong to the subject."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    clouds = []
    for obj in bpy.context.scene.objects:
        if obj.type != 'MESH' or obj.get('stage') or obj.get('unframed'):
            continue
        mesh = obj.evaluated_get(depsgraph).data
        co = np.empty(len(mesh.vertices) * 3, dtype=np.float32)
        mesh.vertices.foreach_get('co', co)
        m = np.array(obj.matrix_world, dtype=np.float32)
        clouds.append(co.reshape(-1, 3) @ m[:3, :3].T + m[:3, 3])
    return np.concatenate(clouds)


def frame_subject(camera, points, elevation, turn, fill, aspect, shift=(0, 0), ref=None):
    """Put the camera so that the subject fills `fill` of the (square part of the) frame."""
    tan = 18.0 / camera.data.lens            # half the frame height over distance
    e, t = math.radians(elevation), math.radians(turn)
    back = np.array([math.sin(t) * math.cos(e), -math.cos(t) * math.cos(e), math.sin(e)])
    right = np.array([math.cos(t), math.sin(t), 0.0])
    up = np.cross(back, right)
    target = (points.min(0) + points.max(0)) / 2
    fill_x, fill_y = fill if isinstance(fill, tuple) else (min(.84, fill * 1.14), fill)
    distance = 10 * np.ptp(points, axis=0).max()
    for _ in range(12):
        rel = points - target
        depth = distance - rel @ back
        px, py = rel @ right / (depth * tan), rel @ up / (depth * tan)
        cx, cy = (px.max() + px.min()) / 2, (py.max() + py.min()) / 2
        target = target + right * cx * distance * tan + up * cy * distance * tan
        size = max((px.max() - px.min()) / 2 / (fill_x * aspect), (py.max() - py.min()) / 2 / fill_y)
        distance *= size
    width = 2 * distance * tan
    target = target - right * shift[0] * width - up * shift[1] * width
    camera.location = Vector(target + back * distance)
    aim(camera, Vector(target))
    return width, Vector(target), distance


def shoot(path, backdrop='greige', elevation=17, turn=0, fill=(.72, .62), lens=85, blur=.012, size=(900, 900), mood='day',
          key=1.0, ambient=1.0, shift=(0, -.012), exposure=0.0, samples=18, noise=.05, threads=1, preview=False,
          focus=None, flags=False, bounces=None, stage=True, panes=True, drop=0.0, key_from=(-4.6, -1.4, 4.9)):
    """Light, frame and render what is on the stage to `path` (16 bit PNG plus guide images)."""
    scene = bpy.context.scene
    cam = bpy.data.cameras.new('camera')
    cam.lens, cam.sensor_width, cam.sensor_height, cam.sensor_fit = lens, 36, 36, 'VERTICAL'
    camera = bpy.data.objects.new('camera', cam)
    scene.collection.objects.link(camera)
    scene.camera = camera
    bpy.context.view_layer.update()
    points = subject_points()
    aspect = size[0] / size[1]
    width, target, distance = frame_subject(camera, points, elevation, turn, fill, aspect, shift)
    cam.clip_end, cam.clip_start = distance * 40, distance * .02
    s = width / 4.8 * (1 if aspect < 1.2 else 1.55)
    floor = Vector((target.x, target.y, 0))

    spin = Matrix.Rotation(math.radians(turn), 4, 'Z')
    if stage:
        paper_sheet = sweep_backdrop(BACKDROPS[backdrop], s)
        paper_sheet.matrix_basis = Matrix.Translation(floor + Vector((0, 0, -(.002 + drop) * s))) @ spin

    def at(x, y, z):
        return floor + spin @ Vector((x * s, y * s, z * s))

    evening = mood == 'evening'
    window_light(at(*key_from), at(0, 0, .7), 2.7 * s, 3.3 * s, (95 if evening else 620) * key * s * s,
                 (1, .92, .84) if evening else (1, .945, .87), panes=panes)
    window_light(at(3.6, 4.2, 5.2), at(0, 0, .8), 2.2 * s, 2.2 * s, (26 if evening else 120) * key * s * s,
                 (.8, .9, 1.0) if evening else (.94, .97, 1), panes=False)
    world(scene, (.085 if evening else .36) * ambient)
    if flags:  # black cards left and right draw the edges of clear glass
        g = Graph('flag')
        g.principled(Base_Color=(.012, .012, .012), Roughness=1.0, Specular=0.0)
        for side in (-1, 1):
            mesh = bpy.data.meshes.new('flag')
            x = side * 2.75
            mesh.from_pydata([at(x, -1.2, .02), at(x, 2.0, .02), at(x, 2.0, 3.6), at(x, -1.2, 3.6)], [], [(0, 1, 2, 3)])
            mesh.materials.append(g.mat)
            flag = bpy.data.objects.new('flag', mesh)
            flag['stage'] = True
            flag.visible_camera = flag.visible_shadow = flag.visible_diffuse = False
            scene.collection.objects.link(flag)

    cam.dof.use_dof = True
    cam.dof.focus_distance = focus or float(np.percentile(
        distance - (points - np.array(target)) @ np.array((camera.location - target).normalized()), 22))
    # depth of field that looks the same at each scale: aperture radius relative to the frame width
    cam.dof.aperture_fstop = max(.01, lens / 2000 / (blur * width))

    r, c = scene.render, scene.cycles
    r.resolution_x, r.resolution_y, r.resolution_percentage = size[0], size[1], 100
    r.threads_mode, r.threads = 'FIXED', threads
    c.device, c.use_denoising = 'CPU', False
    c.samples = samples
    c.use_adaptive_sampling, c.adaptive_threshold, c.adaptive_min_samples = True, noise, min(12, samples)
    c.max_bounces, c.diffuse_bounces, c.glossy_bounces = 12, 2, 3
    c.transmission_bounces, c.transparent_max_bounces, c.volume_bounces = 10, 16, 0
    for key_name, value in (bounces or {}).items():
        setattr(c, key_name, value)
    c.caustics_reflective = c.caustics_refractive = False
    c.blur_glossy, c.sample_clamp_indirect, c.sample_clamp_direct = 1.0, (1.0 if evening else 1.6), 0.0
    c.light_sampling_threshold = .02
    c.seed = 7
    scene.view_settings.view_transform = 'Filmic'
    scene.view_settings.look = 'Medium High Contrast'
    scene.view_settings.exposure = exposure + .18
    r.image_settings.file_format, r.image_settings.color_mode = 'PNG', 'RGB'
    r.image_settings.color_depth = '8' if preview else '16'
    r.filepath = path
    if not preview:
        guide_outputs(scene, path)
    bpy.ops.render.render(write_still=True)


def view_of(pixels, path):
    """Writes linear light as the scene's view shows it: a 16 bit PNG."""
    h, w = pixels.shape[:2]
    image = bpy.data.images.new('clean', w, h, float_buffer=True, is_data=False)
    rgba = np.ones((h, w, 4), dtype=np.float32)
    rgba[..., :3] = pixels[::-1, :, ::-1]                 # OpenCV: blue first, upper row first
    image.pixels.foreach_set(rgba.ravel())
    scene = bpy.context.scene
    scene.use_nodes = False
    image.save_render(path, scene=scene)
    bpy.data.images.remove(image)


def guide_outputs(scene, path):
    """Also write linear light, albedo and normal next to the picture, for the darkroom."""
    layer = bpy.context.view_layer
    layer.cycles.denoising_store_passes = True
    scene.use_nodes = True
    tree = scene.node_tree
    tree.nodes.clear()
    source = tree.nodes.new('CompositorNodeRLayers')
    target = tree.nodes.new('CompositorNodeComposite')
    tree.links.new(source.outputs['Image'], target.inputs['Image'])
    folder, stem = path.rsplit('/', 1)
    files = tree.nodes.new('CompositorNodeOutputFile')
    files.base_path = folder
    files.format.file_format, files.format.color_depth, files.format.color_mode = 'OPEN_EXR', '16', 'RGB'
    files.file_slots.clear()
    for name in ('Image', 'Denoising Albedo', 'Denoising Normal'):
        files.file_slots.new(stem.replace('.png', '') + '.' + {'Image': 'color'}.get(name, name.split()[-1].lower()) + '.')
        tree.links.new(source.outputs[name], files.inputs[len(files.inputs) - 1])


# --------------------------------------------------------------------------
# the list of pictures

SCENES = {}


def scene(slug, values=None, default=None, **shot):
    """Register a scene function.  `values` lists colour variants: the function gets the chosen one."""
    def register(build):
        SCENES[slug] = (build, default, shot)
        for value in values or ():
            SCENES[slug + '--' + value.lower().replace(' ', '-')] = (build, value, shot)
        return build
    return register
