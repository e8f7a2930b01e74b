// The only script of the hosted page. It fetches the page's next state, when a form is sent and while the page waits,
// and shows it in place, so that a phone without a connection keeps the page, and a screen reader its position. Without
// the script, the page reloads itself, and its forms work the same.
//
// A press is answered at once: its button is busy until the next state has come. A change is announced once: its
// heading by the focus if the focused element is gone, otherwise by the live region, and its reason by the live region.
// A refused entry gets the focus, and has its error as its description.
//
// `data-refresh` is the content of the `<meta http-equiv="refresh">` that the script replaces. While the customer
// chooses how to pay, it is the time that is left.

import { MAX_SECONDS } from './page-state.ts'

/** Pause before the page is fetched again after a failed attempt. */
const RETRY_SECONDS = 5
/** Time before the end of the session when a screen reader is told. `endsSoon` says it in words, in every language. */
const WARNING_SECONDS = 120

export const SCRIPT = `
const [news, trouble] = document.querySelectorAll('[role=status]')
const shown = () => document.querySelector('.columns')
const headings = (part) => Array.from(part.querySelectorAll('h1, h2'), (heading) => heading.textContent).join()
// The answer to a form has the form's address.
const pageAddress = location.pathname.split('/', 3).join('/')
let timer, warning, updates = 0, isBusy = false

const wait = (seconds) => {
  clearTimeout(timer)
  timer = setTimeout(update, seconds * 1000)
}

const update = async (sent) => {
  const turn = ++updates
  const [address, init] = sent ?? [pageAddress]
  const text = await fetch(address, init).then((answer) => (!sent && !answer.ok ? '' : answer.text())).catch(() => '')
  // A form was sent meanwhile, and its answer is newer.
  if (turn !== updates) {
    return
  }
  // The parser would report a style element as against the policy.
  let css = ''
  const html = text.replace(/<style>([^]*?)<.style>/, (_, inside) => ((css = inside), ''))
  const next = new DOMParser().parseFromString(html, 'text/html')
  const part = next.querySelector('.columns')
  if (!part) {
    report()
    return wait(${RETRY_SECONDS})
  }
  trouble.textContent = ''
  const url = shown().dataset.refresh.split(';url=')[1] ?? pageAddress
  if (url !== pageAddress && !sent) return location.replace(url)
  if (sent || headings(part) !== headings(shown())) show(next.title, css, part)
  schedule(part)
}

const report = () => (trouble.textContent = trouble.dataset.trouble)

const show = (title, css, part) => {
  const hadFocus = shown().contains(document.activeElement)
  // The policy allows only the first style element, but styles that a script of the page adopts.
  const style = new CSSStyleSheet()
  style.replaceSync(css)
  document.adoptedStyleSheets = [style]
  document.title = title
  shown().replaceWith(part)
  const heading = part.querySelector('h2') ?? part.querySelector('h1')
  const reason = Array.from(heading.parentNode.querySelectorAll(':scope > p'), (each) => each.textContent).join(' ')
  const focused = part.querySelector('[aria-invalid=true]') ?? heading
  const said = hadFocus ? reason : heading.textContent + '. ' + reason
  news.textContent = focused === heading ? said : ''
  if (!hadFocus && focused === heading) return
  if (focused === heading) heading.tabIndex = -1
  focused.focus({ preventScroll: focused === heading })
  if (focused === heading) scrollTo(0, 0)
}

const schedule = (part) => {
  const seconds = parseInt(part.dataset.refresh)
  if (seconds) wait(seconds)
  clearTimeout(warning)
  // Screen readers announce no change of a page that has just appeared.
  if (seconds < ${MAX_SECONDS} && part.querySelector('.expiry'))
    warning = setTimeout(() => (news.textContent = news.dataset.soon), Math.max(1, seconds - ${WARNING_SECONDS}) * 1000)
}

addEventListener('submit', async (event) => {
  event.preventDefault()
  const { target: form, submitter } = event
  if (isBusy) return
  isBusy = true
  clearTimeout(timer)
  const words = submitter.textContent
  submitter.setAttribute('aria-disabled', true)
  submitter.textContent = news.textContent = form.querySelector(':checked')?.dataset.busy ?? words
  await update([form.action, { method: 'POST', body: new URLSearchParams(new FormData(form, submitter)) }])
  isBusy = false
  // Without an answer, the form is as it was.
  submitter.removeAttribute('aria-disabled')
  submitter.textContent = words
})

schedule(shown())
addEventListener('offline', () => shown().dataset.refresh && report())
addEventListener('online', () => trouble.textContent && !isBusy && update())
`
