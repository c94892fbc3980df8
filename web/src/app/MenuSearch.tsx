/** Finds a page by its name: first those that begin with what was typed, then those that contain it. */
import { SearchOutlined } from '@ant-design/icons';
import { Empty, Input, type InputRef } from 'antd';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useTranslation } from '@/i18n';
import { menuIcon } from '@/kit/icons';
import { Modal } from '@/kit/overlays';
import { useMenu } from '@/session/rights';
import { leavesOf } from './leaves';
import { targetOf } from './menu';

/** Names that begin with the text, whatever its case. */
export function startsWith(name: string, text: string): boolean {
  return name.toLowerCase().startsWith(text.trim().toLowerCase());
}

function includes(name: string, text: string): boolean {
  return name.toLowerCase().includes(text.trim().toLowerCase());
}

export default function MenuSearch({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { data } = useMenu();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const field = useRef<InputRef>(null);
  const found = useMemo(() => {
    const leaves = leavesOf(data ?? []);
    const first = leaves.filter(({ node }) => startsWith(node.name, text));
    const rest = leaves.filter(({ node }) => !startsWith(node.name, text) && includes(node.name, text));
    return [...first, ...rest];
  }, [data, text]);
  const go = (index: number) => {
    const node = found[index]?.node;
    const target = node && targetOf(node);
    if (!target) return;
    onClose();
    if (target.kind === 'page') navigate(target.to);
    if (target.kind === 'window') window.open(target.href, '_blank', 'noopener,noreferrer');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter and arrows belong to the input method while it composes.
    if (event.nativeEvent.isComposing) return;
    const last = found.length - 1;
    const moves: Record<string, number> = { ArrowDown: Math.min(last, at + 1), ArrowUp: Math.max(0, at - 1) };
    const next = moves[event.key];
    if (next !== undefined) {
      event.preventDefault();
      setAt(next);
    }
    if (event.key === 'Enter') go(at);
  };
  return (
    <Modal
      open
      footer={null}
      closable={false}
      width={560}
      onCancel={onClose}
      afterOpenChange={(open) => open && field.current?.focus()}
      aria-label={t('app.search.label')}
    >
      <Input
        ref={field}
        size="large"
        prefix={<SearchOutlined />}
        placeholder={t('app.search.hint')}
        aria-label={t('app.search.label')}
        role="combobox"
        aria-expanded
        aria-controls="x-found"
        aria-activedescendant={found[at] && `x-found-${found[at].node.id}`}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="x-found" id="x-found" role="listbox" aria-label={t('app.search.label')}>
        {found.map(({ node, above }, index) => (
          <button
            type="button"
            key={node.id}
            id={`x-found-${node.id}`}
            role="option"
            aria-selected={index === at}
            tabIndex={-1}
            onMouseMove={() => setAt(index)}
            onClick={() => go(index)}
          >
            {menuIcon(node.source)}
            <span>{node.name}</span>
            <span className="x-found-above">{above.join(' / ')}</span>
          </button>
        ))}
      </div>
      {found.length === 0 && (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('app.search.none')} />
      )}
    </Modal>
  );
}
