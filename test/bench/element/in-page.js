const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))

async function settled() {
  for (let frames = 0; frames < 3; frames++) {
    await frame()
  }
  await new Promise((resolve) => setTimeout(resolve, 50))
}

/** Each contender sets its listener before it draws the button. */
function isReady(tag) {
  const button = (tag.shadowRoot ?? tag).querySelector(globalThis.benchButton)
  return button?.getBoundingClientRect().height > 0
}

async function allReady(pause) {
  for (const tag of document.querySelectorAll('[data-tag] > *')) {
    while (!isReady(tag)) {
      await pause()
    }
  }
}

/** Resolves with the milliseconds since the navigation until the button is ready. */
async function arrived() {
  while (document.readyState === 'loading') {
    await frame()
  }
  await allReady(frame)
  return performance.now()
}

globalThis.bench = {
  async prepare() {
    const text = await (await fetch(globalThis.benchScript)).text()
    // A script from memory has no folder.
    const placed = text.replaceAll('./gateway-checkout/', `${location.origin}/gateway-checkout/`)
    this.script = URL.createObjectURL(new Blob([placed], { type: 'text/javascript' }))
    await settled()
  },
  async run() {
    const start = performance.now()
    await import(this.script)
    // `scheduler.yield()` would return before what a contender still waits for.
    await allReady(() => scheduler.postTask(() => {}))
    return performance.now() - start
  },
  arrival: location.pathname === '/all' ? arrived() : null,
}
