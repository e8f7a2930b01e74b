/** What happened in one simulated day, one line each, and the guarantees that were broken. */

export interface Story {
  /** Adds a line at the current virtual time. */
  tell(line: string): void
  /** Adds a broken guarantee, as a sentence. Repetitions are ignored. */
  accuse(sentence: string): void
  /** The lines with their times after the start of the day. */
  lines(): string[]
  readonly broken: readonly string[]
}

export function createStory(now: () => number): Story {
  const startedAt = now()
  const told: { at: number; line: string }[] = []
  const broken: string[] = []
  const tell = (line: string) => void told.push({ at: now() - startedAt, line })

  return {
    tell,
    accuse(sentence) {
      if (broken.includes(sentence)) return
      broken.push(sentence)
      tell(`BROKEN: ${sentence}`)
    },
    lines: () => told.map(({ at, line }) => `${timeOf(at)}  ${line}`),
    broken,
  }
}

/** `1:02:03.250` for 1 hour, 2 minutes, 3 seconds and 250 milliseconds. */
function timeOf(ms: number): string {
  const part = (unit: number, count: number, digits: number) =>
    String(Math.floor(ms / unit) % count).padStart(digits, '0')
  const hours = String(Math.floor(ms / 3_600_000)).padStart(2)
  return `${hours}:${part(60_000, 60, 2)}:${part(1_000, 60, 2)}.${part(1, 1_000, 3)}`
}
