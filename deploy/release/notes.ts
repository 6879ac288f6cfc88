// The notes of a release: its section of the changelog. Pure.

/** The lines below `## VERSION`, up to the next heading of its level. Throws if the changelog has none. */
export function releaseNotes(changelog: string, version: string): string {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((each) => each.split(/\s/, 1)[0] === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section ${version}`);
  return `${section.slice(section.indexOf('\n')).trim()}\n`;
}
