/**
 * Logs mistakes in the element's markup to the browser's console, for the developers of the page: attributes that the
 * element does not have, a country that is not a code, a tag that is not closed, and a form beside it; and a checkout in
 * the address that is not the order's. The element downloads this module only if there is something unusual.
 *
 * This module imports no other module, so that its built file stays unchanged between versions of the element.
 */

const logged = new Set<string>()

/**
 * Logs each mistake in the markup of an element, but each message only once per page.
 *
 * @param attributes The names of the element's attributes.
 */
export function diagnose(
  element: HTMLElement,
  attributes: readonly string[],
  { console }: Window & typeof globalThis,
): void {
  const mistakes = [
    ...element.getAttributeNames().map((name) => explainAttribute(name, attributes)),
    explainCountry(element.getAttribute('country') ?? ''),
    explainContent(element),
    explainForm(element),
  ]
  for (const mistake of mistakes) {
    const text = `<${element.localName}> ${mistake}`
    if (mistake === '' || logged.has(text)) {
      continue
    }

    logged.add(text)
    console.warn(text, element)
  }
}

/** Logs that a checkout in the fragment of the address was ignored. */
export function explainArrival(order: string, { console }: Window & typeof globalThis): void {
  console.warn(
    `<gateway-checkout> The checkout in the fragment of the address is not known to belong to the order "${order}", ` +
      `so it is ignored. A press on the button resumes the order's own checkout.`,
  )
}

/** Attributes of HTML and of frameworks that are not the lower-case name of a property of every element. */
const OTHER_ATTRIBUTES = /^(class|form|is|item.*|exportparts|xmlns|readonly|key|ref|state)$/

/** Words that people use for our attributes. */
const SYNONYMS = [
  { attribute: 'payer-msisdn', pattern: /phone|mobile|msisdn|^tel$/ },
  { attribute: 'payer-email', pattern: /mail/ },
  { attribute: 'payer-name', pattern: /customer|full-?name/ },
  { attribute: 'return-url', pattern: /url|redirect|callback/ },
  { attribute: 'order', pattern: /reference|order/ },
  { attribute: 'help', pattern: /support|contact/ },
  { attribute: 'payee', pattern: /merchant|shop/ },
  { attribute: 'lang', pattern: /lang|locale/ },
]

/**
 * Returns a message if the element has no attribute with this name; otherwise empty text. A name with a hyphen may
 * belong to a framework, so such a name is a mistake only if it means an attribute of the element. [assumed]
 */
function explainAttribute(name: string, attributes: readonly string[]): string {
  if (attributes.includes(name) || !/^[a-z][a-z_-]*$/.test(name)) {
    return ''
  }
  if (OTHER_ATTRIBUTES.test(name) || /^(on|data-|aria-)/.test(name) || isGlobal(name)) {
    return ''
  }

  const meant = meantBy(name, attributes)
  if (meant) {
    return `There is no attribute ${name}. Did you mean ${meant}?`
  }
  return name.includes('-') ? '' : `There is no attribute ${name}. It is ignored.`
}

/** Returns whether every HTML element has the attribute. */
function isGlobal(name: string): boolean {
  for (const property in document.createElement('span')) {
    if (property.toLowerCase() === name) {
      return true
    }
  }

  return false
}

/** Returns the attribute that an unknown name means; `undefined` if it is not known. */
function meantBy(name: string, attributes: readonly string[]): string | undefined {
  const lettersOf = (text: string) => text.replaceAll(/[^a-z]/g, '')
  const isSame = (attribute: string) => lettersOf(attribute) === lettersOf(name)
  return attributes.find(isSame) ?? SYNONYMS.find(({ pattern }) => pattern.test(name))?.attribute
}

/** Returns a message if the attribute `country` is not a code of two letters; otherwise empty text. */
function explainCountry(country: string): string {
  return /^([a-z]{2})?$/i.test(country)
    ? ''
    : `country="${country}" is not a country's code. Write an ISO 3166-1 code of two letters, such as country="KE".`
}

/** Content that may stand in a tag: the element shows it, or it is shown until the element is defined. */
const INTENDED =
  '[slot], form, noscript, template, style, link, p, a, button, input, label, span, svg, img, br'
/** Content that belongs to the page around a tag. */
const SWALLOWED = 'main, header, footer, nav, aside, section, article, h1, h2, script'

/**
 * Returns a message if the tag seems to contain what follows it on the page; otherwise empty text. This happens if the
 * tag is not closed, or is written with a slash at its end, which HTML ignores.
 */
function explainContent({ children, localName, nextSibling }: HTMLElement): string {
  const content = [...children].filter((child) => !child.matches(INTENDED))
  const isSwallowed = content.some((child) => child.matches(`${SWALLOWED}, ${localName}`))
  // A tag that is not closed ends where its parent ends.
  const isLast = nextSibling === null
  if (content.length === 0 || !(isSwallowed || isLast)) {
    return ''
  }

  const names = [...new Set(content.map((child) => `<${child.localName}>`))].slice(0, 3).join(', ')
  return (
    `The tag is not closed, so it contains and hides what follows it: ${names}. HTML ignores a slash at the end of ` +
    `the tag. Write <${localName} …></${localName}>.`
  )
}

/**
 * Returns a message if a form that pays without JavaScript stands outside of all tags, as a second way to pay;
 * otherwise empty text.
 */
function explainForm({ localName, ownerDocument }: HTMLElement): string {
  return ownerDocument.querySelector(`form[action$="/checkout/initiate"]:not(${localName} *)`)
    ? `A form for browsers without JavaScript stands outside of the tag, so that there are two ways to pay. HTML ends a ` +
        `<p> before a form: put the tag into a <div>.`
    : ''
}
