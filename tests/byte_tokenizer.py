"""A tokenizer of one token per byte, for clients that insist on one."""

from pathlib import Path

from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast


def write_tokenizer(folder: Path) -> Path:
    """Write it where transformers finds it."""
    vocabulary = {letter: index for index, letter in enumerate(pre_tokenizers.ByteLevel.alphabet())}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    template = "{% for message in messages %}{{ message.content }}{% endfor %}"
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, chat_template=template, eos_token="!", pad_token="!"
    )
    fast.save_pretrained(folder)
    return folder
