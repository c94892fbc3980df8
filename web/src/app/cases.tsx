/** The pages of every case that the document knows. A file `<name>.case.tsx` of a screen folder says what differs. */
import { type ComponentType, lazy } from 'react';
import type { Case } from '@/api/case';
import { provideCases } from '@/workflow/cases/load';
import type { CaseProps, CaseScreen } from '@/workflow/cases/screen';
import { withTexts } from './texts';

type Kind = 'CaseForm' | 'CaseList' | 'CaseTask' | 'CaseProcess' | 'CaseRecordPage';

const DECLARED = import.meta.glob<Record<string, Case>>(['../api/cases/*.ts', '!../api/cases/index.ts']);
const SCREENS = import.meta.glob<{ default: CaseScreen }>('../screens/**/*.case.tsx');

function loaderOf<T>(files: Record<string, () => Promise<T>>, ending: string): Promise<T> | undefined {
  const found = Object.entries(files).find(([file]) => file.endsWith(`/${ending}`));
  return found && withTexts(...found);
}

async function load(name: string): Promise<CaseProps | undefined> {
  const [declared, screen] = await Promise.all([
    loaderOf(DECLARED, `${name}.ts`),
    loaderOf(SCREENS, `${name}.case.tsx`),
  ]);
  const of = declared?.[name];
  return of && { of, screen: screen?.default ?? {} };
}

provideCases(load);

/** A page of the case, loaded with what it needs when it is first opened. */
export function casePage(name: string, kind: Kind): ComponentType {
  return lazy(async () => {
    const [pages, given] = await Promise.all([
      withTexts('workflow/cases/pages', () => import('@/workflow/cases/pages')),
      load(name),
    ]);
    if (!given) throw new Error(`the document knows no case ${name}`);
    const Page: ComponentType<CaseProps> = pages[kind];
    return { default: () => <Page {...given} /> };
  });
}
