/** Every success criterion of WCAG 2.2, levels A and AA, and what shows that the element meets it. */

export type Evidence =
  | { tests: readonly TestName[]; note?: string }
  | { notApplicable: string }
  /** What a person saw. `on` is an ISO 8601 date. */
  | { byHand: string; on: string }

/** A file in `test/`, and the title of a test in it. */
export type TestName = readonly [file: string, title: string]

export interface Criterion {
  id: string
  name: string
  level: 'A' | 'AA'
  evidence: Evidence
}

const ELEMENT = 'widget/accessibility.browser.test.ts'
const AXE: TestName = [ELEMENT, '$name, in $lang and $theme: axe objects to nothing, and fingers find it']
const WAY: TestName = [
  'e2e/chromium/circumstances.test.ts',
  'no page on the way to a payment fails WCAG 2.2 AA in %s at %i pixels',
]
const ROLES: TestName = [ELEMENT, 'has its roles and names, as a screen reader finds them']
const KEYBOARD: TestName = [ELEMENT, 'can be paid by keyboard alone, with the focus on the next step']
const QUIET: TestName = [ELEMENT, 'never takes the focus from elements outside']
const HEARD: TestName = [
  'widget/transcripts.browser.test.ts',
  '%s: each state is announced once, in order, as it was',
]
const TIME: TestName = [
  ELEMENT,
  'two minutes before the session ends, a warning is announced once, and no countdown is',
]
const MOTION: TestName = ['looks/looks.test.ts', 'nothing moves for shoppers who want less motion']
const MOVES: TestName = [ELEMENT, '%s: only what is awaited, or has just arrived, moves']
const STILL: TestName = [
  ELEMENT,
  'a press changes nothing but the button: it is busy, keeps its text, and stays where it is',
]
const NARROW: TestName = ['widget/text-size.browser.test.ts', '$name fits $width pixels, $text']
const COLOURS: TestName = ['looks/looks.test.ts', '%s can be read']
const LANGUAGE: TestName = [
  'widget/embedding.browser.test.ts',
  'speaks Swahili inside a Swahili page, and writes amounts its way',
]
const ARABIC: TestName = [
  'widget/embedding.browser.test.ts',
  'is written from right to left in Arabic, on any page, and nothing of it is left in English',
]
const MISTAKES: TestName = [
  'widget/details.browser.test.ts',
  'shows the error below the field, keeps the input, and focuses the field',
]
const AGAIN: TestName = [
  'widget/details.browser.test.ts',
  'a retryable error can be retried with the same payer',
]
const FORM: TestName = [
  'widget/details.browser.test.ts',
  'asks for the missing fields, with the focus in the first one',
]
const OPERATOR: TestName = [
  'widget/prompt.browser.test.ts',
  'offers another operator and the payment page only when the prompt has ended without money',
]
const FIRST: TestName = [
  'widget/first-words.browser.test.ts',
  '%s: who comes back hears the outcome once, in this language',
]
const LATE: TestName = [
  'e2e/languages.test.ts',
  'a language that is slow is waited for for three seconds, and replaces English later',
]
const UNCOPIED: TestName = [
  'widget/receipt.browser.test.ts',
  'if the clipboard refuses, the button says so, and the whole reference is shown and selected',
]
const POPUP: TestName = [
  'e2e/second-file.test.ts',
  'a pop-up has a title, a language and a direction before the payment page arrives',
]
const OVERLAY: TestName = [
  'widget/overlay.browser.test.ts',
  '%s leaves it; the focus returns, and it stays away until the next pop-up',
]
const ONCE: TestName = ['widget/paying.browser.test.ts', 'twenty presses make one checkout']

const NO_MEDIA = { notApplicable: 'The element has no audio and no video.' }
const PAGE = (what: string) => ({ notApplicable: `${what} is the page’s, not the element’s.` })

const shownBy = (...tests: TestName[]): Evidence => ({ tests })

export const CRITERIA: readonly Criterion[] = [
  a('1.1.1', 'Non-text Content', {
    tests: [AXE],
    note: 'Icons are hidden from screen readers; the text says the same.',
  }),
  a('1.2.1', 'Audio-only and Video-only (Prerecorded)', NO_MEDIA),
  a('1.2.2', 'Captions (Prerecorded)', NO_MEDIA),
  a('1.2.3', 'Audio Description or Media Alternative (Prerecorded)', NO_MEDIA),
  aa('1.2.4', 'Captions (Live)', NO_MEDIA),
  aa('1.2.5', 'Audio Description (Prerecorded)', NO_MEDIA),
  a('1.3.1', 'Info and Relationships', shownBy(ROLES, AXE)),
  a('1.3.2', 'Meaningful Sequence', shownBy(KEYBOARD, ARABIC)),
  a('1.3.3', 'Sensory Characteristics', {
    notApplicable: 'No sentence names a shape, colour, size, place or sound.',
  }),
  aa('1.3.4', 'Orientation', { notApplicable: 'The element does not depend on the orientation.' }),
  aa('1.3.5', 'Identify Input Purpose', {
    tests: [AXE, FORM],
    note: '`autocomplete` is `name`, `email` and `tel`.',
  }),
  a('1.4.1', 'Use of Color', { tests: [COLOURS, HEARD], note: 'Each outcome has its own title and icon.' }),
  a('1.4.2', 'Audio Control', NO_MEDIA),
  aa('1.4.3', 'Contrast (Minimum)', shownBy(AXE, WAY)),
  aa('1.4.4', 'Resize Text', {
    tests: [NARROW],
    note: 'Text of twice the size, in 320 pixels, each state in one of the languages; no zoom of a browser. The receipt shortens a long reference; a button copies all of it.',
  }),
  aa('1.4.5', 'Images of Text', { notApplicable: 'The element has no images of text.' }),
  aa('1.4.10', 'Reflow', shownBy(NARROW)),
  aa('1.4.11', 'Non-text Contrast', {
    tests: [KEYBOARD, COLOURS],
    note: 'The focus ring has the text’s contrast.',
  }),
  aa('1.4.12', 'Text Spacing', shownBy(NARROW)),
  aa('1.4.13', 'Content on Hover or Focus', { notApplicable: 'Nothing appears on hover or focus.' }),
  a('2.1.1', 'Keyboard', shownBy(KEYBOARD)),
  a('2.1.2', 'No Keyboard Trap', shownBy(KEYBOARD, QUIET)),
  a('2.1.4', 'Character Key Shortcuts', { notApplicable: 'The element has no shortcuts.' }),
  a('2.2.1', 'Timing Adjustable', {
    tests: [
      TIME,
      ['widget/paying.browser.test.ts', 'an expired checkout can be started again, as a new one'],
    ],
    note: 'The gateway ends a session after 30 minutes, which the element cannot extend. It announces the end before, and starts again with the same payer.',
  }),
  a('2.2.2', 'Pause, Stop, Hide', {
    tests: [MOVES, MOTION],
    note: 'What moves is awaited, and stops with the wait.',
  }),
  a('2.3.1', 'Three Flashes or Below Threshold', { notApplicable: 'Nothing flashes.' }),
  a('2.4.1', 'Bypass Blocks', PAGE('What is bypassed')),
  a('2.4.2', 'Page Titled', {
    tests: [POPUP],
    note: 'The title of the page is the page’s. The pop-up has a title until the payment page arrives.',
  }),
  a('2.4.3', 'Focus Order', shownBy(KEYBOARD)),
  a('2.4.4', 'Link Purpose (In Context)', shownBy(HEARD, AXE)),
  aa('2.4.5', 'Multiple Ways', PAGE('The set of pages')),
  aa('2.4.6', 'Headings and Labels', shownBy(ROLES)),
  aa('2.4.7', 'Focus Visible', shownBy(KEYBOARD)),
  aa('2.4.11', 'Focus Not Obscured (Minimum)', {
    tests: [OVERLAY],
    note: 'With `overlay`, a modal dialog lies over the page, and has the focus. Nothing else of the element lies over anything.',
  }),
  a('2.5.1', 'Pointer Gestures', { notApplicable: 'There are no gestures.' }),
  a('2.5.2', 'Pointer Cancellation', {
    tests: [STILL],
    note: 'Buttons act on `click`, which a pointer that leaves cancels.',
  }),
  a('2.5.3', 'Label in Name', shownBy(AXE, HEARD)),
  a('2.5.4', 'Motion Actuation', { notApplicable: 'Nothing is operated by motion.' }),
  aa('2.5.7', 'Dragging Movements', { notApplicable: 'Nothing is dragged.' }),
  aa('2.5.8', 'Target Size (Minimum)', { tests: [AXE], note: 'Targets are at least 44 by 44 pixels.' }),
  a('3.1.1', 'Language of Page', {
    tests: [POPUP],
    note: 'The language of the page is the page’s. The pop-up has a language until the payment page arrives.',
  }),
  aa('3.1.2', 'Language of Parts', {
    tests: [FIRST, LATE, LANGUAGE, ARABIC],
    note: 'The element marks its own words. Texts of the page, such as `payee` and `label`, are not marked. If the words are not there after 3 seconds, the element is in English, and marked so.',
  }),
  a('3.2.1', 'On Focus', shownBy(QUIET)),
  a('3.2.2', 'On Input', shownBy(OPERATOR)),
  aa('3.2.3', 'Consistent Navigation', PAGE('The navigation')),
  aa('3.2.4', 'Consistent Identification', shownBy(HEARD)),
  a('3.2.6', 'Consistent Help', PAGE('Help')),
  a('3.3.1', 'Error Identification', shownBy(MISTAKES, ROLES, HEARD)),
  a('3.3.2', 'Labels or Instructions', shownBy(ROLES)),
  aa('3.3.3', 'Error Suggestion', shownBy(HEARD)),
  aa('3.3.4', 'Error Prevention (Legal, Financial, Data)', {
    tests: [ONCE],
    note: 'The payment is confirmed on the gateway’s page or on the phone, with the amount.',
  }),
  a('3.3.7', 'Redundant Entry', shownBy(AGAIN)),
  aa('3.3.8', 'Accessible Authentication (Minimum)', {
    notApplicable: 'The element authenticates nobody. The PIN is entered on the payer’s phone.',
  }),
  a('4.1.2', 'Name, Role, Value', shownBy(ROLES, AXE)),
  aa('4.1.3', 'Status Messages', {
    tests: [HEARD, FIRST, TIME, UNCOPIED],
    note: 'The tests read the live regions; no screen reader runs in them.',
  }),
]

function a(id: string, name: string, evidence: Evidence): Criterion {
  return { id, name, level: 'A', evidence }
}

function aa(id: string, name: string, evidence: Evidence): Criterion {
  return { id, name, level: 'AA', evidence }
}
