/** A time in UTC, such as "21 Nov 2026, 09:00:00". */
export function When({ at }: { at: number | string }) {
  const iso = new Date(at).toISOString()
  return <time datetime={iso}>{FORMAT.format(new Date(at))}</time>
}

const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })
