import type { NextConfig } from 'next'

const config: NextConfig = {
  poweredByHeader: false,
  compress: true,
  reactStrictMode: true,
  serverExternalPackages: ['libsql', 'pino'],
  typescript: { ignoreBuildErrors: false },
  // The dev server refuses its own scripts to a page that came by this name otherwise.
  allowedDevOrigins: ['127.0.0.1', 'localhost'],
  experimental: {
    // Next keeps a copy of a body while the proxy looks at it; ours are at most 1 MiB (W1), and this bounds the copy.
    proxyClientMaxBodySize: 1.25 * 1024 * 1024,
  },
}

export default config
