const TIMERS = ['setTimeout', 'setInterval', 'requestAnimationFrame', 'requestIdleCallback']

const native = Object.fromEntries(TIMERS.map((name) => [name, globalThis[name].bind(globalThis)]))
const seen = { timers: 0, shift: 0 }

for (const name of TIMERS)
  globalThis[name] = (...parameters) => {
    seen.timers += 1
    return native[name](...parameters)
  }

new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) seen.shift += value
}).observe({ type: 'layout-shift', buffered: true })

const frame = () => new Promise((resolve) => native.requestAnimationFrame(resolve))

async function settled() {
  for (let frames = 0; frames < 3; frames++) await frame()
  await new Promise((resolve) => native.setTimeout(resolve, 50))
}

/** Each contender sets its listener before it draws the button. */
function isReady(tag) {
  const button = (tag.shadowRoot ?? tag).querySelector(globalThis.benchButton)
  return button?.getBoundingClientRect().height > 0
}

async function allReady(pause) {
  for (const tag of document.querySelectorAll('[data-tag] > *')) while (!isReady(tag)) await pause()
}

/** Resolves with the milliseconds since the navigation until the button is ready. */
async function arrived() {
  while (document.readyState === 'loading') await frame()
  await allReady(frame)
  return performance.now()
}

globalThis.bench = {
  seen,
  settled,
  async prepare() {
    const text = await (await fetch('script.js')).text()
    // A script from memory has no folder.
    const placed = text.replaceAll('./gateway-checkout/', `${location.origin}/gateway-checkout/`)
    this.script = URL.createObjectURL(new Blob([placed], { type: 'text/javascript' }))
    await settled()
    Object.assign(seen, { timers: 0, shift: 0 })
  },
  async run(isHurried) {
    const start = performance.now()
    await import(this.script)
    // `scheduler.yield()` would return before what a contender still waits for.
    await allReady(isHurried ? () => scheduler.postTask(() => {}) : frame)
    const readyMs = performance.now() - start
    if (!isHurried) await settled()
    return readyMs
  },
  /** Resolves with the moments of the first paint of a rendered button, and of the script, since the navigation. */
  async painted() {
    const paint = new Promise((resolve) => {
      new PerformanceObserver((list) => {
        for (const { name, startTime } of list.getEntries())
          if (name === 'first-contentful-paint') resolve(startTime)
      }).observe({ type: 'paint', buffered: true })
    })
    const paintedMs = await paint
    const button = document.querySelector('gateway-checkout').shadowRoot.querySelector('button')
    const isUsable = isReady(button.getRootNode().host) && button.form.action.endsWith('/checkout/initiate')
    return { paintedMs: isUsable ? paintedMs : NaN, scriptMs: await this.defined }
  },
  arrival: location.pathname === '/all' ? arrived() : null,
  defined: customElements.whenDefined('gateway-checkout').then(() => performance.now()),
}
