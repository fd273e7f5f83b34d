// Builds every page of this folder, NAME.html, into ONE self-contained file: ../build/web/NAME.html. One run of Vite per
// page, because a page's scripts and styles go into the page itself.
import { readdirSync } from "node:fs";
import { build } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

const root = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const pages = readdirSync(root).filter((name) => name.endsWith(".html"));
for (const page of pages)
  await build({
    root,
    configFile: false,
    logLevel: "warn",
    plugins: [viteSingleFile({ removeViteModuleLoader: true })],
    build: {
      outDir: process.env.MIRRORBALL_WEB_OUT ?? "../build/web",
      emptyOutDir: false,
      target: "es2022",
      rollupOptions: { input: `${root}/${page}` },
    },
  });
