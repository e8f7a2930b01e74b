/**
 * Runs in the page before anything else and measures what is loaded then. The script's bytes are there before the
 * start, so that the network is not measured; the browser has not seen them, so that compiling is.
 */

const TIMERS = ['setTimeout', 'setInterval', 'requestAnimationFrame', 'requestIdleCallback']

const native = Object.fromEntries(TIMERS.map((name) => [name, globalThis[name].bind(globalThis)]))
const seen = { timers: 0, shift: 0, longestTask: 0 }

for (const name of TIMERS)
  globalThis[name] = (...parameters) => {
    seen.timers += 1
    return native[name](...parameters)
  }

new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) seen.shift += value
}).observe({ type: 'layout-shift', buffered: true })

new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) seen.longestTask = Math.max(seen.longestTask, duration)
}).observe({ type: 'longtask', buffered: true })

/** Until what is there has been drawn, and who watches has been told. */
async function settled() {
  for (let frames = 0; frames < 3; frames++)
    await new Promise((resolve) => native.requestAnimationFrame(resolve))
  await new Promise((resolve) => native.setTimeout(resolve, 50))
}

async function isReady(tag) {
  while (!(tag.shadowRoot?.querySelector('button')?.getBoundingClientRect().height > 0))
    await scheduler.yield()
}

globalThis.bench = {
  seen,
  settled,
  async prepare() {
    const text = await (await fetch('script.js')).text()
    this.script = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
    await settled()
    Object.assign(seen, { timers: 0, shift: 0, longestTask: 0 })
  },
  /** Milliseconds from the bytes to the last button that is laid out, or until the browser has drawn them by itself. */
  async run(isHurried) {
    const start = performance.now()
    await import(this.script)
    if (isHurried) for (const tag of document.querySelectorAll('[data-tag] > *')) await isReady(tag)
    else await settled()
    return performance.now() - start
  },
}
