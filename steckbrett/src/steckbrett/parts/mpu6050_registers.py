"""Registers of the MPU-6050 (register map RM-MPU-6000A, 4.2), and the bits its model lacks.

Those of free fall and zero motion stand in the map up to 3.2; the chip has them still.
"""

from .registers import Field, Register, block

DATA, GYRO, DATA_END = 0x3B, 0x43, 0x48
FIFO_COUNT, FIFO_R_W, WHO_AM_I = 0x72, 0x74, 0x75

REGISTERS = (
    *block(0x0D, 0x10, "SELF_TEST_", unmodelled=0xFF),
    Register(0x19, "SMPLRT_DIV"),
    Register(
        0x1A, "CONFIG", reserved=0xC0, unmodelled=0x38,
        fields=(Field("EXT_SYNC_SET", 5, 3), Field("DLPF_CFG", 2, 0)),
    ),
    Register(
        0x1B, "GYRO_CONFIG", reserved=0x07,
        fields=(Field("GYRO_ST", 7, 5), Field("FS_SEL", 4, 3)),
    ),
    Register(
        0x1C, "ACCEL_CONFIG", reserved=0x07,
        fields=(Field("ACCEL_ST", 7, 5), Field("AFS_SEL", 4, 3)),
    ),
    *block(0x1D, 0x22, "MOTION_", unmodelled=0xFF),  # of free fall, of motion, of none
    Register(
        0x23, "FIFO_EN", unmodelled=0x07,
        fields=(
            Field("TEMP_FIFO_EN", 7, 7), Field("XG_FIFO_EN", 6, 6), Field("YG_FIFO_EN", 5, 5),
            Field("ZG_FIFO_EN", 4, 4), Field("ACCEL_FIFO_EN", 3, 3), Field("SLV_FIFO_EN", 2, 0),
        ),
    ),
    *block(0x24, 0x34, "I2C_MST_", unmodelled=0xFF),
    *block(0x35, 0x36, "I2C_SLV4_DI_", "r"),
    Register(
        0x37, "INT_PIN_CFG", reserved=0x01, unmodelled=0x0E,
        fields=(
            Field("INT_LEVEL", 7, 7), Field("INT_OPEN", 6, 6), Field("LATCH_INT_EN", 5, 5),
            Field("INT_RD_CLEAR", 4, 4), Field("FSYNC_INT_LEVEL", 3, 3),
            Field("FSYNC_INT_EN", 2, 2), Field("I2C_BYPASS_EN", 1, 1),
        ),
    ),
    Register(
        0x38, "INT_ENABLE", reserved=0x06, unmodelled=0xE8,
        fields=(
            Field("MOTION_EN", 7, 5), Field("FIFO_OFLOW_EN", 4, 4),
            Field("I2C_MST_INT_EN", 3, 3), Field("DATA_RDY_EN", 0, 0),
        ),
    ),
    Register(
        0x3A, "INT_STATUS", "r",
        fields=(Field("FIFO_OFLOW_INT", 4, 4), Field("DATA_RDY_INT", 0, 0)),
    ),
    *block(DATA, DATA_END, "DATA_", "r"),
    *block(0x49, 0x60, "EXT_SENS_DATA_", "r"),
    Register(0x61, "MOT_DETECT_STATUS", "r"),
    *block(0x63, 0x67, "I2C_SLV_DO_", unmodelled=0xFF),
    Register(0x68, "SIGNAL_PATH_RESET", reserved=0xF8),
    Register(0x69, "MOT_DETECT_CTRL", reserved=0xC0, unmodelled=0x3F),
    Register(
        0x6A, "USER_CTRL", unmodelled=0xBA,
        fields=(
            Field("DMP_EN", 7, 7), Field("FIFO_ENABLE", 6, 6), Field("I2C_MST_EN", 5, 5),
            Field("I2C_IF_DIS", 4, 4), Field("DMP_RESET", 3, 3), Field("FIFO_RESET", 2, 2),
            Field("I2C_MST_RESET", 1, 1), Field("SIG_COND_RESET", 0, 0),
        ),
    ),
    Register(
        0x6B, "PWR_MGMT_1", reset=0x40, reserved=0x10,
        fields=(
            Field("DEVICE_RESET", 7, 7), Field("SLEEP", 6, 6), Field("CYCLE", 5, 5),
            Field("TEMP_DIS", 3, 3), Field("CLKSEL", 2, 0),
        ),
    ),
    Register(
        0x6C, "PWR_MGMT_2", fields=(Field("LP_WAKE_CTRL", 7, 6), Field("STBY", 5, 0))
    ),
    *block(0x6D, 0x71, "DMP_", unmodelled=0xFF),
    *block(FIFO_COUNT, 0x73, "FIFO_COUNT_", "r"),
    Register(FIFO_R_W, "FIFO_R_W"),
    Register(WHO_AM_I, "WHO_AM_I", "r", 0x68),
)  # fmt: skip
