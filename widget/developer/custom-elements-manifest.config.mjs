/**
 * Configures the generator of `custom-elements.json`. The generator reads the sources, and leaves out the members that
 * a page cannot use.
 */

import { readFileSync } from 'node:fs'

const CLASS = { name: 'GatewayCheckout', module: 'dist/index.js' }

const eventTypes = new Map()
/** The properties that are attributes, too. */
const properties = []

export default {
  globs: ['button/gateway-checkout', 'define', 'state/events', 'button/attributes'].map(
    (name) => `widget/${name}.ts`,
  ),
  outdir: 'widget/dist',
  litelement: true,
  dependencies: false,
  packagejson: false,
  quiet: true,
  plugins: [{ name: 'public-members', analyzePhase, packageLinkPhase }],
}

/** Reads what the class itself does not say: event types, and the properties that are attributes, too. */
function analyzePhase({ ts, node }) {
  if (!ts.isInterfaceDeclaration(node)) {
    return
  }

  for (const member of node.members) {
    const name = member.name.text
    const type = { text: member.type?.getText() }
    const description = ts.getTextOfJSDocComment(member.jsDoc?.[0]?.comment)
    if (node.name.text === 'CheckoutEventMap') {
      eventTypes.set(name, type)
    }
    if (node.name.text === 'CheckoutAttributes') {
      properties.push({ kind: 'field', name, type, description, ...reflecting(name) })
    }
  }
}

function packageLinkPhase({ customElementsManifest }) {
  const element = customElementsManifest.modules
    .flatMap(({ declarations }) => declarations)
    .find(({ name }) => name === CLASS.name)
  const members = element.members.filter(isUsable)
  // Read-only: the element overwrites a value from the page.
  Object.assign(
    members.find(({ name }) => name === 'state'),
    reflecting('state'),
  )
  element.members = [...properties, ...members]
  element.attributes = element.members
    .filter(({ attribute, readonly }) => attribute && !readonly)
    .map(({ attribute, name, type, description }) => ({
      name: attribute,
      fieldName: name,
      type,
      description,
    }))
  // The generator also finds the call that dispatches every event, without a name.
  element.events = element.events
    .filter(({ name }) => eventTypes.has(name))
    .map((event) => ({ ...event, type: eventTypes.get(event.name) }))
  const defaults = readDefaults()
  element.cssProperties = element.cssProperties.map((each) => ({ ...each, default: defaults[each.name] }))
  for (const described of [element.members, element.attributes, element.events, element.slots].flat()) {
    described.description = described.description?.replaceAll(/\s*\n\s*/g, ' ')
  }

  const definition = { kind: 'custom-element-definition', name: 'gateway-checkout' }
  customElementsManifest.modules = [
    moduleWith({ kind: 'js', name: CLASS.name }, CLASS.module, [element]),
    moduleWith(definition, 'dist/define.js', []),
  ]
}

function moduleWith(exported, path, declarations) {
  return { kind: 'javascript-module', path, declarations, exports: [{ ...exported, declaration: CLASS }] }
}

/**
 * Returns whether a page can use a member of the class. Only the browser calls the methods whose names end with
 * "Callback".
 */
function isUsable({ name, privacy, static: isStatic }) {
  return !privacy && !isStatic && !name.endsWith('Callback')
}

/** Returns what says that an attribute has the value of the property with this name. */
function reflecting(name) {
  return { attribute: name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), reflects: true }
}

/** Returns the fallback of each custom property in the style sheets. It ends where its line ends. */
function readDefaults() {
  const css = ['button/frame', 'card/card'].map((name) => readFileSync(`widget/${name}.css`, 'utf8'))
  const uses = css.join('').matchAll(/var\((--gateway-checkout-[\w-]+), (.+)\);/g)
  return Object.fromEntries([...uses].map(([, name, fallback]) => [name, fallback]))
}
