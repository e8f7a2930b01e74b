export interface Story {
  tell(line: string): void
  /** Adds a sentence about a broken guarantee. Repetitions are ignored. */
  accuse(sentence: string): void
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

function timeOf(ms: number): string {
  const part = (unit: number, count: number, digits: number) =>
    String(Math.floor(ms / unit) % count).padStart(digits, '0')
  const hours = String(Math.floor(ms / 3_600_000)).padStart(2)
  return `${hours}:${part(60_000, 60, 2)}:${part(1_000, 60, 2)}.${part(1, 1_000, 3)}`
}
