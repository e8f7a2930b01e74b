/** Icons, each one path that is drawn with a round pen in a square of 24 units. */

const PATHS = {
  tick: 'm5 12.5 4.5 4.5L19 7.5',
  attention: 'M12 6v7.5M12 17.9v.1',
  phone:
    'M7.5 2.5h9a1.5 1.5 0 0 1 1.5 1.5v16a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 6 20V4a1.5 1.5 0 0 1 1.5-1.5zM11 18.5h2',
  clock: 'M12 3.5a8.5 8.5 0 1 0 .1 0M12 7.5V12l3 2',
  again: 'M20 12a8 8 0 1 1-2.5-5.8M20 3v4.5h-4.5',
  back: 'm8 4-5 5 5 5M3 9h12a5 5 0 0 1 0 10h-3',
  wave: 'M3 9.5c3-3 6-3 9 0s6 3 9 0M3 15.5c3-3 6-3 9 0s6 3 9 0',
  card: 'M3.5 5.5h17v13h-17zM3.5 10h17M7 15h3',
  bank: 'm3.5 9.5 8.5-5 8.5 5zM6 10v7M10 10v7M14 10v7M18 10v7M3.5 19.5h17',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ of: name }: { of: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}

/** Returns the icon of a payment method. */
export function iconOfMethod(code: string): IconName {
  if (code.startsWith('WAVELET')) return 'wave'
  if (code === 'CARD') return 'card'
  return code === 'BANK' ? 'bank' : 'phone'
}
