export function offerToCopy(button: HTMLButtonElement, from: Element): void {
  const offer = button.textContent
  const renew = () => (button.textContent = offer)
  new MutationObserver(renew).observe(from, { childList: true, characterData: true, subtree: true })
  button.hidden = false
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(from.textContent).then(() => {
      button.textContent = 'Copied'
    })
  })
}
