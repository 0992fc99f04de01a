/**
 * Plain JavaScript: Next would start a compiler at every start of the server to read it otherwise.
 * @type {import('next').NextConfig}
 */
const config = {
  poweredByHeader: false,
  compress: true,
  reactStrictMode: true,
  serverExternalPackages: ['libsql', 'pino'],
  // Types are checked by `npm run types`, tests included; a build does not repeat it.
  typescript: { ignoreBuildErrors: true },
  // The dev server refuses its own scripts to a page that came by this name otherwise.
  allowedDevOrigins: ['127.0.0.1', 'localhost'],
  experimental: {
    // Next keeps a copy of a body while the proxy looks at it; ours are at most 1 MiB (W1), and this bounds the copy.
    proxyClientMaxBodySize: 1.25 * 1024 * 1024,
  },
}

export default config
