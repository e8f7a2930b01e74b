/**
 * Computes with exact decimal amounts. An amount is decimal text in major units of a currency. "1500" and "1500.00" are
 * equal amounts.
 *
 * Amounts are never converted to floating-point numbers. For arithmetic, an amount is converted to a bigint and a
 * number of fraction digits: "1500.00" to 150000n and 2. Sums and comparisons are therefore exact for any number of
 * fraction digits.
 */

/** A decimal number as text: an optional minus sign, digits, and an optional fraction. */
export type Decimal = string

/** [assumed] No amount and no rate has more than 18 digits before the point, or more than 12 after it. */
const PATTERN = /^-?\d{1,18}(\.\d{1,12})?$/
/** A pattern for the results of arithmetic. A result may have more digits than {@link isDecimal} allows. */
const RESULT = /^-?\d+(\.\d+)?$/

export function isDecimal(text: string): text is Decimal {
  return PATTERN.test(text)
}

/**
 * Returns the amount that a JSON number means. Many writers print the noise of binary fractions: 1500.0000000000002
 * means "1500". Below 10^12, a number has at least 15 exact digits, and what follows is noise. [assumed]
 */
export function decimalOf(value: number): Decimal {
  const text = String(Math.abs(value) < 1e12 ? Number(value.toPrecision(15)) : value)
  return text.includes('e-') ? canonical(value.toFixed(12)) : text
}

/** Returns an amount without needless zeros at its begin: "0010.50" becomes "10.50". */
export function withoutLeadingZeros(amount: Decimal): Decimal {
  return amount.replace(/^(-?)0+(?=\d)/, '$1')
}

/** Returns the one text of an amount without needless zeros: "1500.00" becomes "1500", and "01.50" becomes "1.5". */
export function canonical(amount: Decimal): Decimal {
  return withoutLeadingZeros(amount)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
}

/**
 * Returns whether an amount has at most `fractionDigits` fraction digits. Zeros at its end say nothing: "1500.0",
 * "1500.00" and "1500.0000" are 1500. But exactly three digits after the point may be thousands: "25.000" means 25,000 in
 * many countries, so they are exact only where amounts have three. [assumed]
 */
export function isExact(amount: Decimal, fractionDigits: number): boolean {
  const fraction = amount.split('.')[1] ?? ''
  if (fraction.length === 3 && fractionDigits < 3) {
    return false
  }
  return fraction.replace(/0+$/, '').length <= fractionDigits
}

/** The most fraction digits of an amount whose currency is not known. [assumed] Hardly a currency has three. */
export const MAX_FRACTION_DIGITS = 2

/**
 * Returns how much has moved, as a report states it; `null` if that cannot be read. [assumed] What went back may have a
 * minus sign. Nothing else is negative.
 *
 * @param isBack Whether the report says that it went back.
 */
export function movedAmount(amount: Decimal, isBack: boolean): Decimal | null {
  if (compare(amount, '0') >= 0) {
    return amount
  }
  return isBack ? amount.replace('-', '') : null
}

/** Returns the larger of two amounts. */
export function larger(a: Decimal, b: Decimal): Decimal {
  return compare(a, b) < 0 ? b : a
}

/** Returns the smaller of two amounts. */
export function smaller(a: Decimal, b: Decimal): Decimal {
  return compare(a, b) > 0 ? b : a
}

/** Compares two amounts. Returns -1 if `a` is smaller than `b`, 0 if both are equal, and 1 if `a` is larger. */
export function compare(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const { x, y } = aligned(a, b)
  if (x === y) {
    return 0
  }
  return x < y ? -1 : 1
}

export function add(a: Decimal, b: Decimal): Decimal {
  const { x, y, scale } = aligned(a, b)
  return format(x + y, scale)
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  const { x, y, scale } = aligned(a, b)
  return format(x - y, scale)
}

/**
 * Returns the exact product of two amounts: "1.50" times "0.2" is "0.300". The number of fraction digits is the sum of
 * the fraction digits of both factors.
 */
export function multiply(a: Decimal, b: Decimal): Decimal {
  const x = unscaled(a)
  const y = unscaled(b)
  return format(x.digits * y.digits, x.scale + y.scale)
}

/**
 * Rounds an amount to exactly `fractionDigits` fraction digits. `down` rounds towards zero, and `up` rounds away from
 * zero.
 */
export function round(amount: Decimal, fractionDigits: number, towards: 'down' | 'up'): Decimal {
  const { digits, scale } = unscaled(amount)
  if (scale <= fractionDigits) {
    return format(digits * 10n ** BigInt(fractionDigits - scale), fractionDigits)
  }

  const unit = 10n ** BigInt(scale - fractionDigits)
  const isUp = towards === 'up' && digits % unit !== 0n
  const away = digits < 0n ? -1n : 1n
  return format(digits / unit + (isUp ? away : 0n), fractionDigits)
}

export function sum(amounts: readonly Decimal[]): Decimal {
  return amounts.reduce(add, '0')
}

/** Returns whether the amount has no fraction: "1500.00" is whole, "1500.5" is not. */
export function isWhole(amount: Decimal): boolean {
  return compare(round(amount, 0, 'down'), amount) === 0
}

/** Returns both amounts as integers, in units of the same number (`scale`) of fraction digits. */
function aligned(a: Decimal, b: Decimal): { x: bigint; y: bigint; scale: number } {
  const first = unscaled(a)
  const second = unscaled(b)
  const scale = Math.max(first.scale, second.scale)
  return { x: inUnits(first, scale), y: inUnits(second, scale), scale }
}

interface Unscaled {
  digits: bigint
  /** The number of fraction digits. */
  scale: number
}

/** Returns the amount in units of `scale` fraction digits. Most amounts have them: powers of bigints are slow. */
function inUnits({ digits, scale: own }: Unscaled, scale: number): bigint {
  return own === scale ? digits : digits * 10n ** BigInt(scale - own)
}

function unscaled(amount: Decimal): Unscaled {
  if (!RESULT.test(amount)) {
    throw new RangeError(`Not a decimal amount: ${JSON.stringify(amount)}`)
  }

  const point = amount.indexOf('.')
  if (point < 0) {
    return { digits: BigInt(amount), scale: 0 }
  }

  const fraction = amount.slice(point + 1)
  return { digits: BigInt(amount.slice(0, point) + fraction), scale: fraction.length }
}

function format(digits: bigint, scale: number): Decimal {
  const sign = digits < 0n ? '-' : ''
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  return scale === 0 ? sign + text : `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`
}
