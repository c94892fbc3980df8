import '@/testing/svg';
import { readFileSync } from 'node:fs';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import type Modeling from 'bpmn-js/lib/features/modeling/Modeling';
import type { Element } from 'bpmn-js/lib/model/Types';
import type ElementRegistry from 'diagram-js/lib/core/ElementRegistry';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Wire } from '@/api/wire';
import { setLanguage } from '@/i18n';
import * as saving from '@/lib/save';
import { beSignedIn, draw } from '@/testing/render';
import { type Asked, Refused, serve } from '@/testing/server';
import { type Drawing, makeDrawing, xmlOf } from '../canvas/drawing';
import { type Designer, DesignerContext } from '../context';
import { contentOf } from '../saving/content';
import { keptOf } from '../saving/kept';
import { Saver } from '../saving/Saver';
import ConflictDialog from './ConflictDialog';
import ImportDialog from './ImportDialog';
import KeptDialog from './KeptDialog';

const xml = readFileSync('../bpmn/leave/leave.bpmn', 'utf8');
const theirs = xml.replace('xw:nameEn="Leave"', 'xw:nameEn="Theirs"');
const draft = {
  id: '5',
  modelKey: 'leave',
  name: 'Leave',
  version: 3,
  category: '',
  xml,
} as Wire<'ModelDetail'>;
const STALE = { userName: 'Li Wei', time: '2026-11-22 12:03:00', version: 9 };
const submitted = (asked: Asked[]) =>
  asked.filter(({ path }) => path.endsWith('submit')).map(({ body }) => body as Record<string, unknown>);

/** By its words: asking for roles looks at every style of the page. */
const button = (words: string) =>
  screen.getByText(words, { selector: 'button span' }).closest('button') as HTMLButtonElement;

let drawing: Drawing;
let saver: Saver;
let asked: Asked[];
let isStale: boolean;

beforeEach(async () => {
  beSignedIn();
  await setLanguage('en-US');
  isStale = true;
  asked = serve({
    'POST /blade-flow/model/submit': () => {
      if (isStale)
        throw new Refused(409, { code: 409, success: false, error: 'model.stale', msg: '', data: STALE });
      return { id: '77', version: 10 };
    },
    'POST /blade-flow/model/validate': () => ({ problems: [] }),
    'GET /blade-flow/model/detail': () => ({ ...draft, xml: theirs, version: 9 }),
  });
  drawing = makeDrawing({ container: document.createElement('div'), readOnly: false });
  await drawing.importXML(xml);
  drawing
    .get<Modeling>('modeling')
    .updateProperties(drawing.get<ElementRegistry>('elementRegistry').get('hr') as Element, { name: 'Mine' });
  saver = new Saver({ id: '5', version: 3 }, () => contentOf(drawing, draft.name));
  saver.changed();
  await saver.save();
  isStale = false;
});

function open() {
  const context = { drawing, language: 'en-US' } as Designer;
  return draw(
    <DesignerContext value={context}>
      <ConflictDialog saver={saver} stale={STALE} draft={draft} onClose={() => undefined} />
    </DesignerContext>,
  );
}

test('mine as a new draft: under its own key, theirs untouched, and the browser keeps nothing more', async () => {
  const { router } = open();
  expect(keptOf('5')?.xml).toContain('name="Mine"');
  fireEvent.click(button('Save as a new model'));
  await waitFor(() => expect(router.state.location.pathname).toBe('/flow/model/design/77'));
  const [, body] = submitted(asked);
  expect(body).toMatchObject({ modelKey: 'leave_2' });
  expect(body).not.toHaveProperty('id');
  expect(body?.xml).toContain('<process id="leave_2"');
  expect(body?.xml).toContain('bpmnElement="leave_2"');
  expect(body?.xml).toContain('name="Mine"');
  expect(keptOf('5')).toBeUndefined();
});

test('theirs: mine is handed over as a file first, then the canvas and the version are theirs', async () => {
  const files: { blob: Blob; name: string }[] = [];
  const spy = vi.spyOn(saving, 'save').mockImplementation((file) => void files.push(file));
  open();
  fireEvent.click(button('Use theirs'));
  await waitFor(() => expect(saver.get().kind).toBe('saved'));
  spy.mockRestore();
  expect(await files[0]?.blob.text()).toContain('name="Mine"');
  expect(await xmlOf(drawing)).toContain('xw:nameEn="Theirs"');
  expect(saver.version).toBe(9);
  expect(submitted(asked)).toHaveLength(1);
});

test('mine over it: only with a reason, on their version', async () => {
  open();
  expect(button('Overwrite').disabled).toBe(true);
  fireEvent.change(screen.getByLabelText('Reason for overwriting'), { target: { value: 'agreed' } });
  fireEvent.click(button('Overwrite'));
  await waitFor(() => expect(saver.get().kind).toBe('saved'));
  expect(submitted(asked)[1]).toMatchObject({ id: '5', version: 9, note: 'agreed' });
  expect(saver.version).toBe(10);
});

test('a file replaces nothing while what is drawn has not been saved', async () => {
  const context = { drawing, language: 'en-US' } as Designer;
  const closed = vi.fn();
  const { container } = draw(
    <DesignerContext value={context}>
      <ImportDialog saver={saver} onClose={closed} />
    </DesignerContext>,
  );
  const input = (container.ownerDocument.querySelector('input[type=file]') ?? container) as HTMLInputElement;
  fireEvent.change(input, { target: { files: [new File([theirs], 'theirs.bpmn')] } });
  // While the file is looked at a press does nothing.
  await waitFor(() => expect(button('Replace the diagram').className).not.toMatch(/loading|disabled/));
  await waitFor(() => expect(button('Replace the diagram').disabled).toBe(false));
  fireEvent.click(button('Replace the diagram'));
  await waitFor(() => expect(closed).toHaveBeenCalledOnce());
  expect(await xmlOf(drawing)).toContain('name="Mine"');
});

test('what was kept is offered; discarding it hands it over as a file', () => {
  const files: { blob: Blob; name: string }[] = [];
  const spy = vi.spyOn(saving, 'save').mockImplementation((file) => void files.push(file));
  const dropped = vi.fn();
  draw(
    <KeptDialog
      kept={{ xml, version: 3, time: 0 }}
      version={9}
      file="leave.bpmn"
      onTake={() => undefined}
      onDrop={dropped}
    />,
  );
  expect(screen.getByText(/based on save 3, and the server now has save 9/)).toBeTruthy();
  fireEvent.click(button('Download and discard'));
  spy.mockRestore();
  expect(files.map(({ name }) => name)).toEqual(['leave.bpmn']);
  expect(dropped).toHaveBeenCalledOnce();
});
