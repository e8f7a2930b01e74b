// The server and its SQLite driver are loaded by Node, not bundled: a bundler cannot carry the driver's native build.
export default { serverExternalPackages: ['gateway-checkout-server'] }
