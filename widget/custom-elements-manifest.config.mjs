/**
 * How `custom-elements.json` is made. The analyzer reads the sources, where the element's doc block is its manual; the
 * defined class says which properties are attributes; what a page cannot use is left out.
 */

import { GatewayCheckout } from './dist/define.js'

/** Where the package has the class, and where the tag gets its name. */
const CLASS = { name: 'GatewayCheckout', module: 'dist/index.js' }
const DEFINITION = 'dist/define.js'

const eventTypes = new Map()

export default {
  globs: ['widget/gateway-checkout.ts', 'widget/define.ts', 'widget/events.ts'],
  outdir: 'widget/dist',
  litelement: true,
  dependencies: false,
  packagejson: false,
  quiet: true,
  plugins: [{ name: 'what-a-page-can-use', analyzePhase, packageLinkPhase }],
}

/** The doc block describes the events, and the map of the element's events types them. */
function analyzePhase({ ts, node }) {
  if (!ts.isInterfaceDeclaration(node) || node.name.text !== 'HTMLElementEventMap') return
  for (const { name, type } of node.members) eventTypes.set(name.text, { text: type.getText() })
}

function packageLinkPhase({ customElementsManifest }) {
  const element = customElementsManifest.modules
    .flatMap(({ declarations }) => declarations)
    .find(({ name }) => name === CLASS.name)
  element.members = [
    ...element.members.filter((member) => isUsable(member)).map((member) => withAttribute(member)),
    withAttribute({ kind: 'field', name: 'lang', type: { text: 'string' } }),
  ]
  element.attributes = element.members
    .filter(({ attribute, readonly }) => attribute && !readonly)
    .map(({ attribute, name, type, description }) => ({
      name: attribute,
      fieldName: name,
      type,
      description,
    }))
  element.events = element.events.map((event) => ({ ...event, type: eventTypes.get(event.name) }))

  customElementsManifest.modules = [
    {
      kind: 'javascript-module',
      path: CLASS.module,
      declarations: [element],
      exports: [{ kind: 'js', name: CLASS.name, declaration: CLASS }],
    },
    {
      kind: 'javascript-module',
      path: DEFINITION,
      declarations: [],
      exports: [{ kind: 'custom-element-definition', name: 'gateway-checkout', declaration: CLASS }],
    },
  ]
}

/** Callbacks are for the browser to call. */
function isUsable({ name, privacy, static: isStatic }) {
  return !privacy && !isStatic && !name.endsWith('Callback')
}

function withAttribute(member) {
  // Nothing that a page writes there is read.
  if (member.name === 'state') return { ...member, attribute: 'state', reflects: true }
  const attribute = member.name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return GatewayCheckout.observedAttributes.includes(attribute)
    ? { ...member, attribute, reflects: true }
    : member
}
