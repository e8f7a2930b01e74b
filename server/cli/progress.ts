/** How far something is: a bar on a terminal, elsewhere a line whenever there is news. */

export interface Progress {
  show(done: number, of: number): void
  end(): void
}

const WIDTH = 30

export function createProgress(stream: { write(text: string): unknown }, isTerminal: boolean): Progress {
  let last = ''
  return {
    show(done, of) {
      const text = `${done} of ${of} have ended`
      if (text === last) return
      last = text
      const filled = of === 0 ? WIDTH : Math.floor((done / of) * WIDTH)
      const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled)
      stream.write(isTerminal ? `\r${bar} ${text}` : `${text}\n`)
    },
    end: () => void (isTerminal && stream.write('\n')),
  }
}
