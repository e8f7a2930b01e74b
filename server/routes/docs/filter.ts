/**
 * The script of the page `/docs`: a box that hides every entry without the typed words. Without the script, the page
 * has everything but the box. The Content Security Policy of the page names the hash of this text.
 */

export const FILTER = `
  const search = document.querySelector('[role=search]')
  const box = search.querySelector('input')
  const entries = [...document.querySelectorAll('main article:not(.list), main tr[id]')]
  const texts = new Map(entries.map((entry) => [entry, entry.textContent.toLowerCase()]))
  const groups = document.querySelectorAll('main section, main .list')
  const links = document.querySelectorAll('nav li a, nav h2 a')
  const targetOf = (hash) => document.getElementById(decodeURIComponent(hash.slice(1)))
  function filter() {
    const words = box.value.toLowerCase().split(/\\s+/)
    for (const [entry, text] of texts) entry.hidden = !words.every((word) => text.includes(word))
    for (const group of groups) {
      const inside = [...group.querySelectorAll('article:not(.list), tr[id]')]
      group.hidden = inside.every(({ hidden }) => hidden)
    }
    for (const link of links) link.parentElement.hidden = Boolean(targetOf(link.hash)?.closest('[hidden]'))
    const count = entries.filter(({ hidden }) => !hidden).length
    search.querySelector('output').value = box.value === '' ? '' : count + ' of ' + entries.length
  }
  box.addEventListener('input', filter)
  // A link to an entry that is hidden shows everything again.
  addEventListener('hashchange', () => {
    const target = targetOf(location.hash)
    if (!target?.closest('[hidden]')) return
    box.value = ''
    filter()
    target.scrollIntoView()
  })
  search.hidden = false
`
