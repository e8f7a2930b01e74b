const MOST_LINES = 60

export interface Log {
  clear(): void
  say(kind: 'event' | 'request', title: string, words: string, detail?: unknown): void
}

export function createLog(list: HTMLElement): Log {
  return {
    clear: () => list.replaceChildren(),
    say(kind, title, words, detail) {
      const line = document.createElement('li')
      line.dataset.kind = kind
      const said = [made('code', title), ' ', made('span', words)]
      line.append(...(detail ? [opened(said, detail)] : said))
      list.prepend(line)
      if (list.children.length > MOST_LINES) list.lastElementChild?.remove()
    },
  }
}

function opened(said: (Node | string)[], detail: unknown): HTMLDetailsElement {
  const details = document.createElement('details')
  const summary = document.createElement('summary')
  summary.append(...said)
  details.append(summary, made('pre', JSON.stringify(detail, null, 2)))
  return details
}

function made(tag: string, text: string): HTMLElement {
  const element = document.createElement(tag)
  element.textContent = text
  return element
}
