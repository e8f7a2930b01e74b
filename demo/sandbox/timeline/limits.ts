// 366 days. A larger number is probably in the wrong unit.
export const MAX_ADVANCE_SECONDS = 366 * 24 * 3_600

/**
 * The maximum speed, in virtual seconds per real second. Timeouts are measured in virtual time. At a higher speed,
 * requests would therefore time out before their responses arrive.
 */
export const MAX_SPEED = 3_600
