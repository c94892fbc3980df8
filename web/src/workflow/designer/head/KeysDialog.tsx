/** What the keyboard does in the designer. */
import { Modal } from 'antd';
import { useTranslation } from '@/i18n';

const CAPS = {
  next: ['Alt', '→'],
  previous: ['Alt', '←'],
  append: ['A'],
  create: ['N'],
  replace: ['R'],
  name: ['E'],
  connect: ['C'],
  lasso: ['L'],
  space: ['S'],
  hand: ['H'],
  move: ['←', '↑', '↓', '→'],
  moveFast: ['Shift', '→'],
  canvas: ['Ctrl', '→'],
  find: ['Ctrl', 'F'],
  all: ['Ctrl', 'A'],
  copy: ['Ctrl', 'C'],
  paste: ['Ctrl', 'V'],
  duplicate: ['Ctrl', 'D'],
  remove: ['Del'],
  undo: ['Ctrl', 'Z'],
  redo: ['Ctrl', 'Y'],
  panel: ['P'],
  fit: ['F'],
  zoom: ['Ctrl', '+'],
  save: ['Ctrl', 'S'],
  problem: ['F8'],
  help: ['?'],
} as const;

export default function KeysDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal open centered width={720} title={t('designer.keys.title')} footer={null} onCancel={onClose}>
      <p>{t('designer.keys.hint')}</p>
      <dl className="x-keys x-designer-keys">
        {Object.entries(CAPS).map(([key, caps]) => (
          <div key={key}>
            <dt>
              {caps.map((cap) => (
                <kbd key={cap}>{cap}</kbd>
              ))}
            </dt>
            <dd>{t(`designer.keys.${key as keyof typeof CAPS}`)}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
