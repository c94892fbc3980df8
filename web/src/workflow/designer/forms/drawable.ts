/** A form while it is drawn may be wrong in any way: what our fields could not show is left out of the picture. */
import type { Component, Option } from '../../forms/schema';

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}

function sound(component: Component): Component {
  const { pattern, ...rules } = component.validate ?? {};
  const options: Option[] | undefined = component.values;
  return {
    ...component,
    ...(component.validate
      ? { validate: { ...rules, ...(pattern && compiles(pattern) ? { pattern } : {}) } }
      : {}),
    // Two options of one value would be one to the controls.
    ...(options ? { values: [...new Map(options.map((option) => [option.value, option])).values()] } : {}),
    ...(component.components ? { components: drawable(component.components) } : {}),
  };
}

/** Of several fields with one key the first is drawn. */
export function drawable(components: readonly Component[]): Component[] {
  const keys = new Set<string>();
  return components.map(sound).filter(({ key }) => {
    if (key === undefined) return true;
    if (key === '' || keys.has(key)) return false;
    keys.add(key);
    return true;
  });
}
