"""Train a tiny random model for ten steps on an export with TRL, and print the losses as JSON.

Run `python -m tests.support.ten_steps EXPORT` in an environment with torch, transformers and trl.
Nothing is downloaded: the tokenizer encodes single bytes, and the chat template is in this file.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

STEPS = 10
END = "</s>"
TEMPLATE = (
    "{% if tools %}<tools>{{ tools | tojson }}</tools>{% endif %}"
    "{% for message in messages %}<{{ message.role }}>{{ message.content }}"
    "{% for call in message.tool_calls or [] %}"
    "<call>{{ call.function.name }} {{ call.function.arguments | tojson }}</call>"
    "{% endfor %}</s>{% endfor %}"
)


def losses_of(export: Path) -> list[float]:
    """Return the loss of each step on the rows of the split `train`."""
    import torch  # type: ignore[import-not-found, unused-ignore]  # only there in the benchmark
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import (  # type: ignore[import-not-found, unused-ignore]  # only there in the benchmark
        LlamaConfig,
        LlamaForCausalLM,
        PreTrainedTokenizerFast,
    )
    from trl import SFTConfig, SFTTrainer  # type: ignore[import-not-found, unused-ignore]  # only there in the benchmark

    from datasets import load_dataset  # type: ignore[import-untyped]  # the package has no types

    torch.manual_seed(0)
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    words = {word: number for number, word in enumerate([END, *alphabet])}
    byte_tokenizer = Tokenizer(models.BPE(vocab=words, merges=[]))
    byte_tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    byte_tokenizer.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=byte_tokenizer, eos_token=END, pad_token=END, chat_template=TEMPLATE
    )
    sizes: dict[str, Any] = {
        "vocab_size": len(words),
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "max_position_embeddings": 2048,
    }
    with tempfile.TemporaryDirectory() as folder:
        rows = load_dataset(str(export), split="train", cache_dir=folder)
        trainer = SFTTrainer(
            model=LlamaForCausalLM(LlamaConfig(**sizes)),
            args=SFTConfig(
                output_dir=folder,
                max_steps=STEPS,
                per_device_train_batch_size=2,
                learning_rate=1e-2,
                logging_steps=1,
                report_to=[],
                save_strategy="no",
                use_cpu=True,
                bf16=False,
                max_length=1024,
                seed=0,
            ),
            train_dataset=rows,
            processing_class=tokenizer,
        )
        trainer.train()
        return [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]


if __name__ == "__main__":
    print("losses", json.dumps(losses_of(Path(sys.argv[1]))))  # noqa: T201  the command's answer
