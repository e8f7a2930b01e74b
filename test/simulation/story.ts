export interface Story {
  tell(line: string): void
  fault: (type: string, line: string) => void
  violation(sentence: string): void
  lines(): string[]
  readonly violations: readonly string[]
  readonly faults: ReadonlyMap<string, number>
}

export function createStory(now: () => number): Story {
  const startedAt = now()
  const told: { at: number; line: string }[] = []
  const violations: string[] = []
  const faults = new Map<string, number>()
  const tell = (line: string) => void told.push({ at: now() - startedAt, line })

  return {
    tell,
    fault: (type, line) => {
      faults.set(type, (faults.get(type) ?? 0) + 1)
      tell(line)
    },
    violation(sentence) {
      if (violations.includes(sentence)) {
        return
      }

      violations.push(sentence)
      tell(`VIOLATION: ${sentence}`)
    },
    lines: () => told.map(({ at, line }) => `${timeOf(at)}  ${line}`),
    violations,
    faults,
  }
}

function timeOf(ms: number): string {
  const part = (unit: number, count: number, digits: number) =>
    String(Math.floor(ms / unit) % count).padStart(digits, '0')
  const hours = String(Math.floor(ms / 3_600_000)).padStart(2)
  return `${hours}:${part(60_000, 60, 2)}:${part(1_000, 60, 2)}.${part(1, 1_000, 3)}`
}
