# From a CSV to a model that runs on an emulated Cortex-M0: the five commands of examples/firmware/README.md.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT

.PHONY: firmware
M0 := arm-none-eabi-gcc -Os -mthumb -mcpu=cortex-m0 -ffunction-sections -fdata-sections -Wl,--gc-sections
QEMU := qemu-system-arm -M microbit -display none -monitor none -serial none \
	-semihosting-config enable=on,target=native,chardev=sh -chardev stdio,id=sh
firmware: build/sooth
	@mkdir -p build/run-firmware
	build/sooth fit examples/scale/data/titanx.csv --target power_w --drop time_ms --model boost \
	    --set n_estimators=20 --set max_depth=4 -o build/run-firmware/power.sooth --force
	build/sooth export build/run-firmware/power.sooth --to c --integers 16 --name power \
	    -o build/run-firmware/power.c --force
	$(M0) build/run-firmware/power.c examples/firmware/selftest.c examples/firmware/cortex_m.c -nostdlib \
	    -Texamples/firmware/cortex_m.ld -lc -lgcc -o build/run-firmware/power.elf
	$(QEMU) -kernel build/run-firmware/power.elf
