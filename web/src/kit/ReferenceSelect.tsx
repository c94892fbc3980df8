/** A choice among the rows of another noun, searched on the server by name and code. */
import { Select } from 'antd';
import { useState } from 'react';
import { type Choice, type Source, useChoices } from './references';
import { useDebounced } from './useDebounced';

interface ReferenceSelectProps {
  id?: string;
  /** Ids joined by commas. */
  value?: string;
  onChange?: (value: string | undefined) => void;
  source: Source;
  multiple?: boolean;
  clearable?: boolean;
  disabled?: boolean;
  placeholder?: string;
  label?: string;
}

export function ReferenceSelect(props: ReferenceSelectProps) {
  const { id, value, onChange, source, multiple, clearable = true, disabled, placeholder, label } = props;
  const [keyword, setKeyword] = useState('');
  const ids = value ? value.split(',') : [];
  const { choices, isPending } = useChoices(source, useDebounced(keyword.trim()), ids);
  const isHidden = isPending && ids.some((one) => !choices.some((row) => row.value === one));
  return (
    <Select<string | string[], Choice>
      id={id}
      aria-label={label}
      mode={multiple ? 'multiple' : undefined}
      maxTagCount="responsive"
      allowClear={clearable}
      showSearch={{ filterOption: false, onSearch: setKeyword }}
      options={choices}
      optionRender={({ data }) => (
        <>
          {data.label}
          {data.hint && <div className="x-hint">{data.hint}</div>}
        </>
      )}
      // Until its name is known an id says nothing to anybody.
      value={isHidden ? undefined : multiple ? ids : value}
      onChange={(chosen) => {
        // Who is chosen while the others are hidden joins them.
        const kept = multiple && isHidden ? ids : [];
        onChange?.([...new Set([...kept, ...[chosen ?? []].flat()])].join(',') || undefined);
      }}
      loading={isPending}
      disabled={disabled}
      placeholder={placeholder}
    />
  );
}
