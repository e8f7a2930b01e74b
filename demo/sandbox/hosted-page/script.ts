/**
 * The only script of the hosted page. While the page waits, the script fetches the page's next state and shows it in
 * place, so that a phone without a connection keeps the page, and a screen reader its position. A change is
 * announced once: its heading by the focus if the focused element is gone, otherwise by the live region, and its reason
 * by the live region. Without the script, the page reloads
 * itself, and its forms work the same.
 *
 * `data-refresh` is the content of the `<meta http-equiv="refresh">` that the script replaces; `data-warning` is the
 * number of seconds until two minutes are left to pay.
 */

/** Pause before the page is fetched again after a failed attempt. */
const RETRY_SECONDS = 5

export const SCRIPT = `
const [news, trouble] = document.querySelectorAll('[role=status]')
const shown = () => document.querySelector('.columns')
const headings = (part) => Array.from(part.querySelectorAll('h1, h2'), (heading) => heading.textContent).join()
let timer, isLooking = false

const wait = (seconds) => {
  clearTimeout(timer)
  timer = setTimeout(look, seconds * 1000)
}

const look = async () => {
  if (isLooking) return
  isLooking = true
  const text = await fetch(location.href).then((answer) => (answer.ok ? answer.text() : ''), () => '').catch(() => '')
  isLooking = false
  // A style element would be parsed against the policy, which reports it.
  let css = ''
  const html = text.replace(/<style>([^]*?)<.style>/, (_, inside) => ((css = inside), ''))
  const next = new DOMParser().parseFromString(html, 'text/html')
  const part = next.querySelector('.columns')
  if (!part) {
    report()
    return wait(${RETRY_SECONDS})
  }
  trouble.textContent = ''
  const url = shown().dataset.refresh.split(';url=')[1]
  if (url) return location.replace(url)
  if (headings(part) !== headings(shown())) show(next.title, css, part)
  follow(part)
}

const report = () => {
  const problem = navigator.onLine ? 'The payment page does not respond.' : 'You are offline.'
  trouble.textContent = problem + ' Your payment is not lost; we keep looking.'
}

const show = (title, css, part) => {
  const hadFocus = shown().contains(document.activeElement)
  // The policy allows only the first style element, but styles that a script of the page adopts.
  const style = new CSSStyleSheet()
  style.replaceSync(css)
  document.adoptedStyleSheets = [style]
  document.title = title
  shown().replaceWith(part)
  const heading = part.querySelector('h2')
  const reason = heading.nextElementSibling?.textContent ?? ''
  news.textContent = hadFocus ? reason : heading.textContent + '. ' + reason
  if (!hadFocus) return
  heading.tabIndex = -1
  heading.focus()
}

const follow = ({ dataset }) => {
  if (dataset.refresh) wait(parseInt(dataset.refresh))
}

follow(shown())
addEventListener('offline', () => shown().dataset.refresh && report())
addEventListener('online', () => trouble.textContent && look())
if (shown().dataset.warning)
  setTimeout(() => {
    if (shown().querySelector('.expiry')) news.textContent = 'Less than two minutes left to pay.'
  }, shown().dataset.warning * 1000)
`
