#!/usr/bin/python3
"""Writes needs.h: the compute capabilities for which the assembler of CUDA accepts an instruction, for each of a list.
It knows nothing of ptx/needs.h.

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Run it in its folder with the assemblers of CUDA 11.8, 12.9 and 13.0: ./needs.py PTXAS PTXAS PTXAS > needs.h
./needs.py --check PTXAS compares needs.h with what this one accepts, for the capabilities that it knows.
"""
import os
import re
import subprocess
import sys
import tempfile

REGISTERS = (".reg .b32 %r<80>; .reg .b16 %h<40>; .reg .f32 %f<140>; .reg .f64 %d<40>; .reg .b64 %l<20>; .reg .pred %p<8>; .reg .b8 %c<4>; "
             ".shared .align 128 .b8 s[1024]; mov.u64 %l0, s;")
MODULE = (".global .align 128 .b8 g[4096]; .global .texref t; .global .surfref u; .const .b32 c[4]; .func fn() { ret; }\n")


def vector(letter, count, first=0):
    return "{" + ", ".join("%%%s%d" % (letter, i) for i in range(first, first + count)) + "}"


def samples():
    out = []
    for line in """
add.s32 %r0, %r1, %r2
add.s64 %l1, %l2, %l3
add.sat.s32 %r0, %r1, %r2
add.cc.u32 %r0, %r1, %r2
add.cc.u64 %l1, %l2, %l3
addc.u32 %r0, %r1, %r2
sub.s32 %r0, %r1, %r2
add.u16x2 %r0, %r1, %r2
add.s16x2 %r0, %r1, %r2
min.s16x2 %r0, %r1, %r2
max.u16x2 %r0, %r1, %r2
min.relu.s16x2 %r0, %r1, %r2
min.relu.s32 %r0, %r1, %r2
max.relu.s32 %r0, %r1, %r2
max.s64 %l1, %l2, %l3
mul.lo.s32 %r0, %r1, %r2
mul.wide.s32 %l1, %r1, %r2
mul24.lo.s32 %r0, %r1, %r2
mad.lo.s32 %r0, %r1, %r2, %r3
mad.hi.sat.s32 %r0, %r1, %r2, %r3
mad24.lo.s32 %r0, %r1, %r2, %r3
mad.lo.cc.u32 %r0, %r1, %r2, %r3
madc.lo.u32 %r0, %r1, %r2, %r3
madc.lo.cc.u64 %l1, %l2, %l3, %l4
sad.s32 %r0, %r1, %r2, %r3
div.s32 %r0, %r1, %r2
rem.u64 %l1, %l2, %l3
abs.s32 %r0, %r1
neg.s32 %r0, %r1
popc.b32 %r0, %r1
popc.b64 %r0, %l1
clz.b32 %r0, %r1
bfind.u32 %r0, %r1
fns.b32 %r0, %r1, %r2, %r3
brev.b32 %r0, %r1
bfe.u32 %r0, %r1, %r2, %r3
bfi.b32 %r0, %r1, %r2, %r3, %r4
szext.wrap.u32 %r0, %r1, %r2
bmsk.clamp.b32 %r0, %r1, %r2
dp4a.u32.u32 %r0, %r1, %r2, %r3
dp2a.lo.u32.u32 %r0, %r1, %r2, %r3
and.b32 %r0, %r1, %r2
not.b32 %r0, %r1
cnot.b32 %r0, %r1
lop3.b32 %r0, %r1, %r2, %r3, 0x40
lop3.or.b32 %r0|%p0, %r1, %r2, %r3, 0x40, %p1
shf.l.wrap.b32 %r0, %r1, %r2, %r3
shl.b32 %r0, %r1, %r2
shr.u64 %l1, %l2, %r2
prmt.b32 %r0, %r1, %r2, %r3
testp.finite.f32 %p0, %f0
testp.finite.f64 %p0, %d0
copysign.f32 %f0, %f1, %f2
add.f32 %f0, %f1, %f2
add.rn.ftz.sat.f32 %f0, %f1, %f2
add.rm.f32 %f0, %f1, %f2
add.f64 %d0, %d1, %d2
mul.f64 %d0, %d1, %d2
fma.rn.f32 %f0, %f1, %f2, %f3
fma.rm.f32 %f0, %f1, %f2, %f3
fma.rn.f64 %d0, %d1, %d2, %d3
mad.rn.f32 %f0, %f1, %f2, %f3
div.approx.f32 %f0, %f1, %f2
div.full.f32 %f0, %f1, %f2
div.rn.f32 %f0, %f1, %f2
div.rn.f64 %d0, %d1, %d2
abs.f64 %d0, %d1
min.f32 %f0, %f1, %f2
min.NaN.f32 %f0, %f1, %f2
max.NaN.ftz.f32 %f0, %f1, %f2
max.xorsign.abs.f32 %f0, %f1, %f2
min.f32 %f0, %f1, %f2, %f3
max.f32 %f0, %f1, %f2, %f3
min.f64 %d0, %d1, %d2
rcp.approx.f32 %f0, %f1
rcp.rn.f32 %f0, %f1
rcp.rn.f64 %d0, %d1
rcp.approx.ftz.f64 %d0, %d1
sqrt.rn.f32 %f0, %f1
sqrt.rn.f64 %d0, %d1
rsqrt.approx.f32 %f0, %f1
rsqrt.approx.f64 %d0, %d1
rsqrt.approx.ftz.f64 %d0, %d1
sin.approx.f32 %f0, %f1
cos.approx.f32 %f0, %f1
lg2.approx.f32 %f0, %f1
ex2.approx.f32 %f0, %f1
ex2.approx.f16 %h0, %h1
ex2.approx.f16x2 %r0, %r1
ex2.approx.ftz.bf16 %h0, %h1
ex2.approx.ftz.bf16x2 %r0, %r1
tanh.approx.f32 %f0, %f1
tanh.approx.f16 %h0, %h1
tanh.approx.f16x2 %r0, %r1
tanh.approx.bf16 %h0, %h1
tanh.approx.bf16x2 %r0, %r1
add.f32x2 %l1, %l2, %l3
mul.f32x2 %l1, %l2, %l3
fma.rn.f32x2 %l1, %l2, %l3, %l4
add.f32.f16 %f0, %h0, %f1
add.f32.bf16 %f0, %h0, %f1
sub.f32.bf16 %f0, %h0, %f1
fma.rn.f32.f16 %f0, %h0, %h1, %f1
abs.f16 %h0, %h1
neg.f16 %h0, %h1
abs.f16x2 %r0, %r1
abs.bf16 %h0, %h1
neg.bf16x2 %r0, %r1
add.f16 %h0, %h1, %h2
sub.f16x2 %r0, %r1, %r2
mul.rn.sat.f16 %h0, %h1, %h2
fma.rn.f16 %h0, %h1, %h2, %h3
fma.rn.f16x2 %r0, %r1, %r2, %r3
fma.rn.relu.f16 %h0, %h1, %h2, %h3
fma.rn.relu.f16x2 %r0, %r1, %r2, %r3
fma.rn.bf16 %h0, %h1, %h2, %h3
fma.rn.relu.bf16 %h0, %h1, %h2, %h3
fma.rn.bf16x2 %r0, %r1, %r2, %r3
fma.rn.oob.f16 %h0, %h1, %h2, %h3
fma.rn.oob.relu.bf16x2 %r0, %r1, %r2, %r3
add.bf16 %h0, %h1, %h2
sub.bf16x2 %r0, %r1, %r2
mul.bf16 %h0, %h1, %h2
min.f16 %h0, %h1, %h2
max.f16x2 %r0, %r1, %r2
min.NaN.f16 %h0, %h1, %h2
max.bf16 %h0, %h1, %h2
min.bf16x2 %r0, %r1, %r2
max.NaN.xorsign.abs.bf16x2 %r0, %r1, %r2
max.xorsign.abs.f16 %h0, %h1, %h2
set.eq.f16.f16 %h0, %h1, %h2
set.eq.u32.f32 %r0, %f1, %f2
set.eq.bf16.bf16 %h0, %h1, %h2
set.eq.u16.f16 %h0, %h1, %h2
set.eq.f16x2.f16x2 %r0, %r1, %r2
setp.eq.f16 %p0, %h1, %h2
setp.eq.f16x2 %p0|%p1, %r1, %r2
setp.eq.bf16 %p0, %h1, %h2
setp.eq.bf16x2 %p0|%p1, %r1, %r2
setp.eq.s32 %p0, %r1, %r2
setp.eq.f64 %p0, %d1, %d2
selp.b32 %r0, %r1, %r2, %p0
slct.s32.f32 %r0, %r1, %r2, %f0
cvt.u32.u16 %r0, %h0
cvt.rn.f16.f32 %h0, %f0
cvt.f32.f16 %f0, %h0
cvt.rn.f64.s32 %d0, %r0
cvt.rn.f16x2.f32 %r0, %f0, %f1
cvt.rz.relu.f16x2.f32 %r0, %f0, %f1
cvt.rn.bf16.f32 %h0, %f0
cvt.rn.relu.bf16.f32 %h0, %f0
cvt.rn.relu.f16.f32 %h0, %f0
cvt.rn.bf16x2.f32 %r0, %f0, %f1
cvt.f32.bf16 %f0, %h0
cvt.rn.bf16.f16 %h0, %h1
cvt.rn.bf16.s32 %h0, %r0
cvt.rn.bf16.f64 %h0, %d0
cvt.f64.bf16 %d0, %h0
cvt.rzi.u16.bf16 %h0, %h1
cvt.rni.s32.bf16 %r0, %h0
cvt.rna.tf32.f32 %r0, %f0
cvt.rn.tf32.f32 %r0, %f0
cvt.rz.relu.tf32.f32 %r0, %f0
cvt.rna.satfinite.tf32.f32 %r0, %f0
cvt.rn.satfinite.tf32.f32 %r0, %f0
cvt.rn.satfinite.e4m3x2.f32 %h0, %f0, %f1
cvt.rn.satfinite.e5m2x2.f32 %h0, %f0, %f1
cvt.rn.satfinite.relu.e4m3x2.f16x2 %h0, %r0
cvt.rn.f16x2.e4m3x2 %r0, %h0
cvt.rn.relu.f16x2.e5m2x2 %r0, %h0
cvt.rn.satfinite.e2m1x2.f32 %c0, %f0, %f1
cvt.rn.satfinite.e2m3x2.f32 %h0, %f0, %f1
cvt.rn.satfinite.e3m2x2.f32 %h0, %f0, %f1
cvt.rn.f16x2.e2m3x2 %r0, %h0
cvt.rn.f16x2.e3m2x2 %r0, %h0
cvt.rz.ue8m0x2.f32 %h0, %f0, %f1
cvt.rn.bf16x2.ue8m0x2 %r0, %h0
cvt.rs.f16x2.f32 %r0, %f0, %f1, %r1
cvt.rs.satfinite.e4m3x4.f32 %r0, {%f0, %f1, %f2, %f3}, %r1
cvt.rs.satfinite.e2m1x4.f32 %h0, {%f0, %f1, %f2, %f3}, %r1
cvt.pack.sat.s16.s32 %r0, %r1, %r2
cvt.pack.sat.s8.s32.b32 %r0, %r1, %r2, %r3
cvt.pack.sat.u4.s32.b32 %r0, %r1, %r2, %r3
cvt.rn.satfinite.f16.f32 %h0, %f0
cvt.rn.satfinite.bf16x2.f32 %r0, %f0, %f1
cvta.global.u64 %l1, %l2
cvta.to.shared.u64 %l1, %l2
cvta.to.shared::cluster.u64 %l1, %l2
cvta.param.u64 %l1, %l2
isspacep.global %p0, %l1
isspacep.const %p0, %l1
isspacep.shared::cta %p0, %l1
isspacep.shared::cluster %p0, %l1
isspacep.param %p0, %l1
mov.b32 %r0, %r1
mov.b128 %q0, {%l1, %l2}
mov.b128 {%l1, %l2}, %q0
mov.u32 %r0, %clusterid.x
mov.u32 %r0, %nclusterid.x
mov.u32 %r0, %cluster_ctaid.x
mov.u32 %r0, %cluster_nctaid.y
mov.u32 %r0, %cluster_ctarank
mov.u32 %r0, %cluster_nctarank
mov.pred %p0, %is_explicit_cluster
mov.u32 %r0, %aggr_smem_size
mov.u32 %r0, %total_smem_size
mov.u32 %r0, %dynamic_smem_size
mov.b32 %r0, %reserved_smem_offset_begin
mov.u64 %l1, %globaltimer
mov.u32 %r0, %lanemask_eq
mov.u32 %r0, %tid.x
mov.u64 %l1, %clock64
mov.u32 %r0, %clock_hi
mov.u32 %r0, %nwarpid
ld.global.b32 %r0, [%l1]
ld.global.f64 %d0, [%l1]
ld.global.nc.f32 %f0, [%l1]
ld.global.v4.f32 {%f0,%f1,%f2,%f3}, [%l1]
ld.global.v8.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, [%l1]
ld.global.v4.b64 {%l1,%l2,%l3,%l4}, [%l5]
ld.global.v4.f64 {%d1,%d2,%d3,%d4}, [%l5]
ld.global.b128 %q0, [%l1]
st.global.b128 [%l1], %q0
ld.relaxed.gpu.global.b128 %q0, [%l1]
ld.relaxed.gpu.global.b32 %r0, [%l1]
ld.acquire.sys.global.b32 %r0, [%l1]
ld.acquire.cluster.global.b32 %r0, [%l1]
ld.mmio.relaxed.sys.global.b32 %r0, [%l1]
ld.weak.global.b32 %r0, [%l1]
ld.volatile.global.b32 %r0, [%l1]
ld.global.cg.b32 %r0, [%l1]
ld.global.ca.b32 %r0, [%l1]
ld.global.L1::evict_last.b32 %r0, [%l1]
ld.global.L1::no_allocate.b32 %r0, [%l1]
ld.global.nc.L1::no_allocate.b32 %r0, [%l1]
ld.global.L2::64B.b32 %r0, [%l1]
ld.global.L2::128B.b32 %r0, [%l1]
ld.global.L2::256B.b32 %r0, [%l1]
ld.global.nc.L2::128B.b32 %r0, [%l1]
ld.global.L2::cache_hint.b32 %r0, [%l1], %l2
ld.global.nc.L2::cache_hint.b32 %r0, [%l1], %l2
ld.global.L2::evict_last.v8.b32 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%l1]
ld.shared::cta.b32 %r0, [%l1]
ld.shared::cluster.b32 %r0, [%l1]
ld.const.b32 %r0, [c]
ld.const.b32 %r0, [%l1]
ldu.global.b32 %r0, [%l1]
st.global.b32 [%l1], %r0
st.global.v8.b32 [%l1], {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}
st.relaxed.gpu.global.b32 [%l1], %r0
st.release.cta.global.b32 [%l1], %r0
st.release.cluster.global.b32 [%l1], %r0
st.global.L1::no_allocate.b32 [%l1], %r0
st.global.L2::cache_hint.b32 [%l1], %r0, %l2
st.shared::cluster.b32 [%l1], %r0
st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r0], %r1, [%r2]
st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [%r0], {%f0,%f1,%f2,%f3}, [%r2]
st.async.mmio.release.sys.global.u32 [%l1], %r1
st.bulk.weak.shared::cta [%l1], %l2, 0
red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [%r0], %r1, [%r2]
multimem.ld_reduce.relaxed.gpu.global.add.u32 %r0, [%l1]
multimem.ld_reduce.relaxed.gpu.global.add.v4.f32 {%f0,%f1,%f2,%f3}, [%l1]
multimem.ld_reduce.relaxed.gpu.global.add.acc::f32.bf16x2 %r0, [%l1]
multimem.ld_reduce.relaxed.gpu.global.add.acc::f16.v4.e4m3x4 {%r0,%r1,%r2,%r3}, [%l1]
multimem.st.relaxed.gpu.global.u32 [%l1], %r0
multimem.red.relaxed.gpu.global.add.u32 [%l1], %r0
prefetch.global.L1 [%l1]
prefetch.global.L2 [%l1]
prefetch.global.L2::evict_last [%l1]
prefetch.tensormap [%l1]
prefetchu.L1 [%l1]
applypriority.global.L2::evict_normal [%l1], 128
discard.global.L2 [%l1], 128
createpolicy.fractional.L2::evict_last.b64 %l1
mapa.u64 %l1, %l2, %r0
mapa.shared::cluster.u32 %r0, %r1, %r2
getctarank.u64 %r0, %l1
getctarank.shared::cluster.u32 %r0, %r1
cp.async.ca.shared.global [%l0], [%l1], 16
cp.async.cg.shared.global [%l0], [%l1], 16
cp.async.cg.shared.global.L2::128B [%l0], [%l1], 16
cp.async.cg.shared.global.L2::cache_hint [%l0], [%l1], 16, %l2
cp.async.commit_group
cp.async.wait_group 1
cp.async.wait_all
cp.async.mbarrier.arrive.shared.b64 [%l0]
cp.async.mbarrier.arrive.noinc.shared.b64 [%l0]
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%l0], [%l1], %r0, [%l2]
cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%l0], [%l1], %r0, [%l2]
cp.async.bulk.global.shared::cta.bulk_group [%l1], [%l0], %r0
cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%l1], [%l0], %r0, %h0
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%l0], [%l1], %r0, [%l2], %h0
cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%l1], [%l0], %r0
cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [%l1], [%l0], %r0
cp.async.bulk.prefetch.L2.global [%l1], %r0
cp.async.bulk.commit_group
cp.async.bulk.wait_group 0
cp.async.bulk.wait_group.read 0
cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%l0], [%l1, {%r0, %r1}], [%l2]
cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%l0], [%l1, {%r0, %r1}], [%l2]
cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.cta_group::2 [%l0], [%l1, {%r0, %r1}], [%l2]
cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes [%l0], [%l1, {%r0, %r1, %r2, %r3, %r4}], [%l2]
cp.async.bulk.tensor.3d.shared::cluster.global.im2col::w.mbarrier::complete_tx::bytes [%l0], [%l1, {%r0, %r1, %r2}], [%l2], {%h0, %h1}
cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%l1, {%r0, %r1}], [%l0]
cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%l1, {%r0, %r1, %r2, %r3, %r4}], [%l0]
cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%l1, {%r0, %r1}]
cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%l1, {%r0, %r1}], [%l0]
tensormap.replace.tile.global_address.global.b1024.b64 [%l1], %l2
tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%l1], 1
tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%l1], [%l0], 128
fence.proxy.tensormap::generic.release.gpu
fence.proxy.tensormap::generic.acquire.gpu [%l1], 128
fence.proxy.async
fence.proxy.async.shared::cta
fence.proxy.alias
fence.mbarrier_init.release.cluster
fence.sc.gpu
fence.acq_rel.gpu
fence.acq_rel.cluster
fence.acquire.gpu
fence.acquire.sync_restrict::shared::cluster.cluster
membar.gl
membar.sys
membar.cta
membar.proxy.alias
bar.sync 0
bar.warp.sync %r0
bar.red.popc.u32 %r0, 0, %p0
bar.arrive 1, 64
barrier.sync 0
barrier.cta.sync 0
barrier.sync.aligned 0
barrier.cluster.arrive
barrier.cluster.arrive.relaxed.aligned
barrier.cluster.wait
mbarrier.init.shared.b64 [%l0], %r0
mbarrier.inval.shared.b64 [%l0]
mbarrier.arrive.shared.b64 %l1, [%l0]
mbarrier.arrive.shared.b64 %l1, [%l0], %r0
mbarrier.arrive.noComplete.shared.b64 %l1, [%l0], %r0
mbarrier.arrive.expect_tx.shared.b64 %l1, [%l0], %r0
mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r0]
mbarrier.arrive.release.cta.shared::cta.b64 %l1, [%r0]
mbarrier.arrive_drop.shared.b64 %l1, [%l0]
mbarrier.expect_tx.relaxed.cta.shared.b64 [%l0], %r0
mbarrier.complete_tx.relaxed.cta.shared.b64 [%l0], %r0
mbarrier.test_wait.shared.b64 %p0, [%l0], %l1
mbarrier.test_wait.parity.shared.b64 %p0, [%l0], %r0
mbarrier.test_wait.acquire.cta.shared::cta.b64 %p0, [%l0], %l1
mbarrier.test_wait.relaxed.cta.shared::cta.b64 %p0, [%l0], %l1
mbarrier.try_wait.shared.b64 %p0, [%l0], %l1
mbarrier.try_wait.parity.shared.b64 %p0, [%l0], %r0
mbarrier.pending_count.b64 %r0, %l1
griddepcontrol.wait
griddepcontrol.launch_dependents
elect.sync %r0|%p0, %r1
setmaxnreg.inc.sync.aligned.u32 96
setmaxnreg.dec.sync.aligned.u32 40
nanosleep.u32 100
pmevent 1
pmevent.mask 3
trap
brkpt
exit
activemask.b32 %r0
vote.sync.all.pred %p0, %p1, %r0
vote.sync.ballot.b32 %r0, %p1, %r1
match.any.sync.b32 %r0, %r1, %r2
match.all.sync.b64 %r0|%p0, %l1, %r2
shfl.sync.bfly.b32 %r0|%p0, %r1, %r2, %r3, %r4
redux.sync.add.s32 %r0, %r1, %r2
redux.sync.xor.b32 %r0, %r1, %r2
redux.sync.min.f32 %f0, %f1, %r2
redux.sync.max.abs.NaN.f32 %f0, %f1, %r2
ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0,%r1,%r2,%r3}, [%l0]
ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r0,%r1}, [%l0]
ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32 {%r0,%r1,%r2,%r3}, [%l0]
ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r0,%r1}, [%l0]
ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8x16.b4x16_p64 {%r0,%r1}, [%l0]
stmatrix.sync.aligned.m8n8.x4.shared.b16 [%l0], {%r0,%r1,%r2,%r3}
stmatrix.sync.aligned.m16n8.x2.trans.shared.b8 [%l0], {%r0,%r1}
movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1
clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%l0], [%l1]
clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128 [%l0], [%l1]
clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p0, %q0
tex.1d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [t, {%r0}]
tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [t, {%f4,%f5}]
tex.cube.v4.f32.f32 {%f0,%f1,%f2,%f3}, [t, {%f4,%f5,%f6,%f7}]
tex.2d.v4.f16.f32 {%h0,%h1,%h2,%h3}, [t, {%f4,%f5}]
tex.2d.v2.f16x2.f32 {%r0,%r1}, [t, {%f4,%f5}]
tld4.r.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [t, {%f4,%f5}]
txq.width.b32 %r0, [t]
istypep.texref %p0, %l1
suld.b.1d.b32.trap %r0, [u, {%r1}]
sust.b.1d.b32.trap [u, {%r1}], %r0
sured.b.add.1d.u32.trap [u, {%r1}], %r0
vadd.s32.s32.s32 %r0, %r1, %r2
vadd2.s32.s32.s32 %r0, %r1, %r2, %r3
vadd4.s32.s32.s32 %r0, %r1, %r2, %r3
vabsdiff4.s32.s32.s32.add %r0, %r1, %r2, %r3
vmad.s32.s32.s32 %r0, %r1, %r2, %r3
stacksave.u64 %l1
stackrestore.u64 %l1
alloca.u64 %l1, %l2
call.uni fn
""".strip().split("\n"):
        out.append(line)
    # atomics: spaces, scopes, types
    for op, t, n in [("add", "u32", 1), ("add", "s32", 1), ("add", "u64", 1), ("add", "f32", 1), ("add", "f64", 1), ("min", "u32", 1), ("min", "s64", 1), ("max", "u64", 1), ("and", "b32", 1), ("and", "b64", 1), ("inc", "u32", 1),
                     ("cas", "b16", 2), ("cas", "b32", 2), ("cas", "b64", 2), ("cas", "b128", 2), ("exch", "b32", 1), ("exch", "b64", 1), ("exch", "b128", 1), ("add.noftz", "f16", 1), ("add.noftz", "f16x2", 1), ("add.noftz", "bf16", 1), ("add.noftz", "bf16x2", 1)]:
        letter = {"f32": "f", "f64": "d", "b128": "q"}.get(t, {"16": "h", "64": "l"}.get(t[1:], "h" if t in ("f16", "bf16") else "r"))
        for space in ("global", "shared"):
            args = ", ".join("%%%s%d" % (letter, i + 1) for i in range(n))
            out.append("atom.%s.%s.%s %%%s3, [%%l9], %s" % (space, op, t, letter, args))
            if n == 1 and op != "exch":
                out.append("red.%s.%s.%s [%%l9], %s" % (space, op, t, args))
    for extra in ("atom.sys.global.add.u32 %r0, [%l1], %r1", "atom.cta.global.add.u32 %r0, [%l1], %r1", "atom.gpu.global.add.f32 %f0, [%l1], %f1", "atom.relaxed.gpu.global.add.u32 %r0, [%l1], %r1", "atom.acquire.cluster.global.add.u32 %r0, [%l1], %r1",
                  "atom.acq_rel.sys.global.cas.b64 %l1, [%l2], %l3, %l4", "atom.shared::cluster.add.u32 %r0, [%l1], %r1", "red.relaxed.gpu.global.add.u32 [%l1], %r1", "red.release.gpu.global.add.u32 [%l1], %r1", "red.sys.global.add.u32 [%l1], %r1",
                  "red.global.add.v4.f32 [%l1], {%f0,%f1,%f2,%f3}", "atom.global.add.v2.f32 {%f0,%f1}, [%l1], {%f2,%f3}", "red.global.add.noftz.v4.bf16x2 [%l1], {%r0,%r1,%r2,%r3}", "atom.global.L2::cache_hint.add.u32 %r0, [%l1], %r1, %l2",
                  "red.global.max.noftz.v8.bf16 [%l1], {%h0,%h1,%h2,%h3,%h4,%h5,%h6,%h7}", "atom.add.f64 %d0, [%l1], %d1"):
        out.append(extra)
    # matrix products of warps
    bits = {"f64": 64, "tf32": 32, "f16": 16, "bf16": 16, "e4m3": 8, "e5m2": 8, "e2m1": 8, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1}
    sums = {"f64": ("f64", "d"), "s8": ("s32", "r"), "u8": ("s32", "r"), "s4": ("s32", "r"), "u4": ("s32", "r"), "b1": ("s32", "r")}

    def mma(t, m, k, sparse="", kind="", scale="", scale_type="", bitop="xor", total=None):
        s, letter = sums.get(t, ("f32", "f"))
        if total:
            s, letter = total, "r"
        b = 4 if kind in ("mxf4", "mxf4nvf4") else bits[t]
        register, one = ("d", 64) if t == "f64" else ("r", 32)
        na, nb, nc = m * k * b // (2 if sparse else 1) // one // 32, 8 * k * b // one // 32, m * 8 // 32
        if total == "f16":
            nc //= 2
        if (m, k, t) == (8, 4, "f16"):
            na, nb, nc = 2, 2, 4 if total else 8
        op = "mma%s.sync.aligned.m%dn8k%d.row.col%s%s.%s.%s.%s.%s%s%s" % (sparse, m, k, ".kind::" + kind if kind else "", scale, s, t, t, s, ".%s.popc" % bitop if t == "b1" else "", scale_type)
        end = (", %r70, 0x0" if sparse else "") + (", %r71, {0, 0}, %r72, {0, 0}" if scale else "")
        out.append("%s %s, %s, %s, %s%s" % (op, vector(letter, nc), vector(register, na), vector(register, nb), vector(letter, nc), end))
    for t, m, k in [("f64", 8, 4), ("f64", 16, 4), ("f64", 16, 8), ("f64", 16, 16), ("tf32", 16, 4), ("tf32", 16, 8), ("f16", 8, 4), ("f16", 16, 8), ("f16", 16, 16), ("bf16", 16, 8), ("bf16", 16, 16), ("e4m3", 16, 16), ("e4m3", 16, 32), ("e5m2", 16, 32),
                    ("s8", 8, 16), ("u8", 8, 16), ("s8", 16, 16), ("s8", 16, 32), ("s4", 8, 32), ("s4", 16, 32), ("u4", 16, 64), ("b1", 8, 128), ("b1", 16, 128), ("b1", 16, 256)]:
        mma(t, m, k)
    for m, k in ((8, 128), (16, 128), (16, 256)):
        mma("b1", m, k, bitop="and")
    for m, k in ((8, 4), (16, 8), (16, 16)):
        mma("f16", m, k, total="f16")
    mma("e4m3", 16, 32, total="f16")
    for sp in (".sp", ".sp::ordered_metadata"):
        for t, k in [("tf32", 8), ("tf32", 16), ("f16", 16), ("f16", 32), ("bf16", 16), ("bf16", 32), ("e4m3", 64), ("s8", 32), ("s8", 64), ("s4", 64), ("s4", 128)]:
            mma(t, 16, k, sp)
    mma("e4m3", 16, 32, "", "f8f6f4")
    mma("e2m1", 16, 32, "", "f8f6f4")
    mma("e4m3", 16, 32, "", "mxf8f6f4", ".block_scale.scale_vec::1X", ".ue8m0")
    mma("e2m1", 16, 64, "", "mxf4", ".block_scale.scale_vec::2X", ".ue8m0")
    mma("e2m1", 16, 64, "", "mxf4nvf4", ".block_scale.scale_vec::4X", ".ue4m3")

    def wmma(t, m, n, k, bitop="xor", dest=None):
        s, letter = sums.get(t, ("f32", "f"))
        register = "d" if t == "f64" else "r"
        na, nb, nc = max(1, m * k * bits[t] // 1024), max(1, k * n * bits[t] // 1024), m * n // 32
        if t == "f16":
            na = nb = 8
        if t == "f64":
            na = nb = 1
        types = "f32.f32" if t == "f16" else "%s.%s.%s.%s" % (s, t, t, s)
        if t == "f16" and dest:
            types, nc, letter = "f16.f16", nc // 2, "r"
        out.append("wmma.mma%s.sync.aligned.row.col.m%dn%dk%d.%s %s, %s, %s, %s" % (".%s.popc" % bitop if t == "b1" else "", m, n, k, types, vector(letter, nc), vector(register, na), vector(register, nb), vector(letter, nc)))
        layout = "row" if True else "col"
        out.append("wmma.load.a.sync.aligned.%s.m%dn%dk%d.global.%s %s, [%%l1]" % (layout, m, n, k, t, vector(register, na)))
        out.append("wmma.store.d.sync.aligned.row.m%dn%dk%d.global.%s [%%l1], %s" % (m, n, k, types.split(".")[0], vector(letter, nc)))
    for t, m, n, k in [("f16", 16, 16, 16), ("f16", 32, 8, 16), ("bf16", 16, 16, 16), ("bf16", 8, 32, 16), ("s8", 16, 16, 16), ("u8", 32, 8, 16), ("tf32", 16, 16, 8), ("f64", 8, 8, 4), ("s4", 8, 8, 32), ("u4", 8, 8, 32), ("b1", 8, 8, 128)]:
        wmma(t, m, n, k)
    wmma("b1", 8, 8, 128, "and")
    wmma("f16", 8, 32, 16, dest="f16")
    # warpgroups, and the tensor cores of Blackwell
    for t, k in (("f16", 16), ("bf16", 16), ("tf32", 8), ("e4m3", 32), ("s8", 32), ("b1", 256)):
        s, letter = sums.get(t, ("f32", "f"))
        end = ", %p0" + (", 1, 1" if s == "f32" else "") + (", 0, 0" if t in ("f16", "bf16") else "")
        out.append("wgmma.mma_async.sync.aligned.m64n8k%d.%s.%s.%s%s %s, %%l1, %%l2%s" % (k, s, t, t, ".and.popc" if t == "b1" else "", vector(letter, 4), end))
    out += ["wgmma.fence.sync.aligned", "wgmma.commit_group.sync.aligned", "wgmma.wait_group.sync.aligned 0"]
    out += ["tcgen05.mma.cta_group::1.kind::f16 [%r0], %l1, %l2, %r1, %p0", "tcgen05.mma.cta_group::2.kind::tf32 [%r0], %l1, %l2, %r1, %p0", "tcgen05.mma.cta_group::1.kind::i8 [%r0], %l1, %l2, %r1, %p0", "tcgen05.mma.cta_group::1.kind::f8f6f4 [%r0], %l1, %l2, %r1, %p0",
            "tcgen05.mma.cta_group::1.kind::mxf4.block_scale.scale_vec::2X [%r0], %l1, %l2, %r1, [%r2], [%r3], %p0", "tcgen05.alloc.cta_group::1.sync.aligned.b32 [%l0], 64", "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r0, 64", "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned",
            "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r0}, [%r1]", "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r1], {%r0}", "tcgen05.wait::ld.sync.aligned", "tcgen05.cp.cta_group::1.128x256b [%r0], %l1", "tcgen05.shift.cta_group::1.down [%r0]", "tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%l1]",
            "tcgen05.fence::before_thread_sync", "tcgen05.ld.red.sync.aligned.32x32b.x2.min.f32 {%f0,%f1}, %f2, [%r1]"]
    return out


def arches(ptxas):
    text = subprocess.run([ptxas, "--help"], capture_output=True, text=True).stdout
    return set(re.findall(r"'sm_(\d+[af]?)'", text))


def version(ptxas):
    text = subprocess.run([ptxas, "--version"], capture_output=True, text=True).stdout
    major, minor = map(int, re.search(r"release (\d+)\.(\d+)", text).groups())
    return "%d.%d" % (major - 4, min(minor, 8 if major < 13 else 9)) if major < 13 else "9.%d" % minor


def accepted(ptxas, isa, arch, lines):
    """Returns the lines that are accepted. Each has a kernel of its own in one file, on one line; those with an error are
    left out until the rest is assembled."""
    left = list(lines)
    while left:
        with tempfile.NamedTemporaryFile("w", suffix=".ptx", delete=False) as file:
            file.write(".version %s\n.target sm_%s\n.address_size 64\n%s" % (isa, arch, MODULE))
            for i, line in enumerate(left):
                file.write(".visible .entry k%d() { %s%s %s; ret; }\n" % (i, REGISTERS, " .reg .b128 %q<4>;" if "%q" in line else "", line))
        done = subprocess.run([ptxas, "-O0", "-arch", "sm_" + arch, file.name, "-o", "/dev/null"], capture_output=True, text=True)
        os.unlink(file.name)
        if done.returncode == 0:
            return set(left)
        text = done.stdout + done.stderr
        bad = {int(n) - 5 for n in re.findall(r"\.ptx, line (\d+);? *(?:error|fatal)", text)} | {int(n) for n in re.findall(r"'k(\d+)'", text)}
        bad = {i for i in bad if 0 <= i < len(left)}
        if not bad:  # it broke: halve
            if len(left) == 1:
                return set()
            half = len(left) // 2
            return accepted(ptxas, isa, arch, left[:half]) | accepted(ptxas, isa, arch, left[half:])
        left = [line for i, line in enumerate(left) if i not in bad]
    return set()


WANTED = ["35", "37", "50", "52", "53", "60", "61", "62", "70", "72", "75", "80", "86", "87", "89", "90", "100", "103", "110", "120", "121"]


def brief(capabilities):
    """Writes "80+" for all from 80 on, else the capabilities."""
    if capabilities and capabilities == WANTED[WANTED.index(capabilities[0]):]:
        return capabilities[0] + "+"
    return " ".join(capabilities)


def main():
    check = sys.argv[1:2] == ["--check"]
    tools = [(t, version(t), arches(t)) for t in sys.argv[2 if check else 1:]]
    by = {}
    for arch in [a + s for a in WANTED for s in ("", "a", "f")]:
        has = [t for t in tools if arch in t[2]]
        if has:
            by[arch] = max(has, key=lambda t: tuple(map(int, t[1].split("."))))
    lines = samples()
    done = {arch: accepted(*by[arch][:2], arch, lines) for arch in by}
    found = {line: [arch for arch in WANTED if any(line in done.get(arch + s, ()) for s in ("", "a", "f"))] for line in lines}
    if check:
        here = [arch for arch in WANTED if arch in by]
        bad = 0
        for line, capabilities in re.findall(r'\{"(.*)", "(.*)"\},', open("needs.h").read()):
            least = capabilities.rstrip("+")
            all_of = WANTED[WANTED.index(least):] if capabilities.endswith("+") else capabilities.split()
            if line in found and [a for a in all_of if a in here] != found[line]:
                bad += 1
                print("%s: accepted for %s, but needs.h has %s" % (line, " ".join(found[line]), capabilities))
        print("%d instructions, sm_%s to sm_%s: %d differ" % (len(lines), here[0], here[-1], bad))
        sys.exit(bad > 0)
    print("/* needs.h - made by needs.py: the capabilities for which ptxas accepts an instruction, of a list. */")
    print("static const struct {\n    const char *instruction, *accepted;\n} needs[] = {")
    for line in lines:
        print('    {"%s", "%s"},' % (line, brief(found[line])))
        if not found[line]:
            print("nowhere accepted: " + line, file=sys.stderr)
    print("};")


main()
